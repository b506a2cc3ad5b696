/**
 * Shows on a real rdma_rxe in a VM that the rules notice what they are for: commits each fault of ci/provider-faults in
 * the provider, and demands that the rules which it breaks fail, and of the others those that it is known to make fail.
 *
 *     node -r ./ci/typescript.js ci/on-rxe/prove-on-rxe.ts [--all] [--accept] [--kernel 6.1] [FAULT ...]
 *
 * For each fault the scenarios of its own rules run, and some that stand for all others; with --all every scenario that
 * can notice it. What fails beside its own rules is compared with ci/provider-faults/met-rules.json, to which --accept
 * adds what is new; with --all it also takes out what does not show any more. Without a fault, all has to be as it is
 * without the library that commits them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { featurePaths, featureRules } from '../../cli/inputs/features';
import { Interruption } from '../../cli/common/interruption';
import { HarnessError, UsageError } from '../../drivers/contract';
import { createDriver } from '../../drivers/soft-roce';
import { providerFaults, type ProviderFault } from '../provider-faults';
import {
  describeScenario,
  differences,
  isUnexpected,
  judgeFault,
  placeOf,
  type Sound,
} from '../provider-faults/judge-fault';
import { runFeatures } from '../provider-faults/run';
import { readMetRules, recordMetRules } from '../provider-faults/record';
import {
  allExposed,
  allToFail,
  ownAndBystanders,
  pathsFor,
  pathsOf,
  type Selection,
} from '../provider-faults/selection';
import { compileProviderFaults, startShimmedVm, type ShimmedVm } from '../provider-faults/shimmed-vm';

interface Options {
  readonly isWhole: boolean;
  readonly isAccepting: boolean;
  readonly kernel: string;
  readonly faults: readonly (readonly [name: string, fault: ProviderFault])[];
}

function readArguments(args: string[]): Options {
  const flag = { type: 'boolean', default: false } as const;
  const options = { all: flag, accept: flag, kernel: { type: 'string', default: '6.1' } } as const;
  const { values, positionals } = parsed(() => parseArgs({ args, options, allowPositionals: true }));
  for (const name of positionals) {
    if (!Object.hasOwn(providerFaults, name))
      throw new UsageError(`there is no fault "${name}"`, 'ci/provider-faults lists them');
  }
  const faults = Object.entries(providerFaults).filter(
    ([name]) => positionals.length === 0 || positionals.includes(name),
  );
  return { isWhole: values.all, isAccepting: values.accept, kernel: values.kernel, faults };
}

/** @throws UsageError for an unknown option */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** @returns how many things are wrong */
function complain(subject: string, problems: readonly string[]): number {
  for (const problem of problems) say(`  WRONG: ${subject} ${problem}`);
  return problems.length;
}

/** Runs scenarios with the library and without a fault. Their verdicts are what is expected of them. */
async function runIdle(vm: ShimmedVm, { isWhole, faults }: Options): Promise<readonly Sound[]> {
  vm.choose(undefined, 'toPass');
  const paths = isWhole
    ? featurePaths()
    : pathsFor(
        faults.map(([, fault]) => fault),
        featureRules(),
      );
  return runFeatures(vm.driver, paths, true);
}

/** All features as they go without the library. */
async function runWithoutLibrary(kernel: string): Promise<readonly Sound[]> {
  say('all features without the library');
  const driver = await createDriver({ kernel, progress: say });
  try {
    return await runFeatures(driver, featurePaths(), true);
  } finally {
    await driver.close();
  }
}

/** Runs the scenarios of a fault. What is to fail does not wait long for an event. */
async function runUnder(
  vm: ShimmedVm,
  name: string,
  { toFail, toPass }: Selection<Sound>,
  idle: readonly Sound[],
): Promise<readonly Sound[]> {
  const callsOf = new Map(idle.map((one) => [placeOf(one), one.calls]));
  const shown: Sound[] = [];
  for (const [part, scenarios] of Object.entries({ toFail, toPass })) {
    if (scenarios.length === 0) continue; // without a path Cucumber runs all features
    vm.choose(name, part === 'toFail' ? 'toFail' : 'toPass');
    const results = await runFeatures(vm.driver, pathsOf(scenarios), false);
    shown.push(...results.map((one) => ({ ...one, calls: callsOf.get(placeOf(one)) ?? [] })));
  }
  return shown;
}

/** @returns how many things are wrong with the fault, or with the rules that are to notice it */
async function prove(
  vm: ShimmedVm,
  [name, fault]: Options['faults'][number],
  idle: readonly Sound[],
  { isWhole, isAccepting }: Options,
  interruption: Interruption,
): Promise<number> {
  const recorded = readMetRules()[name] ?? [];
  const selection = isWhole ? allExposed(fault, recorded, idle) : ownAndBystanders(fault, recorded, idle);
  const shown = await runUnder(vm, name, isAccepting ? allToFail(selection) : selection, idle);
  if (interruption.exitCode !== undefined) return 0; // what did not run says nothing of the fault
  const { met } = judgeFault(fault, { met: recorded, isWhole }, shown);
  const accepted = isWhole ? met : [...new Set([...recorded, ...met])].sort();
  if (isAccepting) recordMetRules({ [name]: accepted });
  const { caughtBy, problems } = judgeFault(fault, { met: isAccepting ? accepted : recorded, isWhole }, shown);
  const besides = met.length > 0 ? `; ${met.length} other rules meet it` : '';
  say(`  caught by ${caughtBy.join(', ') || 'none'} (${shown.length} scenarios)${besides}`);
  return complain(name, problems);
}

async function proveAll(options: Options, library: string, interruption: Interruption): Promise<number> {
  const { faults, isWhole, kernel } = options;
  const plain = isWhole ? await runWithoutLibrary(kernel) : undefined;
  const vm = await startShimmedVm(
    kernel,
    library,
    faults.map(([name]) => name),
    say,
  );
  interruption.calls((signal) => {
    vm.driver.close(`the proof was interrupted by ${signal}`).catch(() => undefined);
  });
  try {
    const idle = await runIdle(vm, options);
    say(`without a fault: ${idle.length} scenarios`);
    let wrong = 0;
    if (interruption.exitCode === undefined) {
      wrong += complain('without a fault', idle.filter(isUnexpected).map(describeScenario));
      if (plain) wrong += complain('without a fault', differences(plain, idle));
    }
    for (const [index, one] of faults.entries()) {
      if (interruption.exitCode !== undefined) break;
      say(`fault ${index + 1} of ${faults.length}: ${one[0]}: ${one[1].effect}`);
      wrong += await prove(vm, one, idle, options, interruption);
    }
    return wrong;
  } finally {
    await vm.driver.close();
  }
}

async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2));
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-prove-'));
  const remove = (): void => {
    rmSync(folder, { recursive: true });
  };
  const interruption = new Interruption(remove);
  try {
    const library = join(folder, 'provider-faults.so');
    compileProviderFaults(library);
    const wrong = await proveAll(options, library, interruption);
    if (interruption.exitCode !== undefined) {
      say('the proof was interrupted');
      return interruption.exitCode;
    }
    say(
      `${options.faults.length} faults, ${wrong === 0 ? 'each is caught by the rules that it breaks' : `${wrong} WRONG`}`,
    );
    return wrong === 0 ? 0 : 1;
  } finally {
    interruption.end();
    remove();
  }
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof HarnessError ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 3;
  },
);
