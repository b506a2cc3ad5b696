/**
 * Shows on a real rdma_rxe in a VM that the rules notice what they are for, and nothing else: commits each fault of
 * ci/provider-faults in the provider, or with --lawful has it do what each variant of ci/provider-variants does.
 *
 * For each fault the scenarios of its own rules have to fail, and some that stand for all others have to pass; with --all
 * all run that can notice it. What fails beside its own rules is compared with ci/provider-faults/met-rules.json, to which
 * --accept adds what is new; with --all it also takes out what does not show any more. Without a fault, all has to be as it
 * is without the library. With --diagnose it prints what each fault looks like to a diagnosis, which has to be right for 70 %
 * of them. Under a variant no verdict may be another than without; with --quick some scenarios run that can
 * meet it, otherwise all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { featurePaths } from '../../cli/inputs/features';
import { Interruption } from '../../cli/common/interruption';
import { HarnessError, UsageError } from '../../drivers/contract';
import { createDriver } from '../../drivers/soft-roce';
import { readKnown } from '../../bench/diagnosis/known-faults';
import { providerFaults } from '../provider-faults';
import { ProviderDiagnosis } from '../provider-faults/diagnosis';
import type { Sound } from '../provider-faults/judge-fault';
import { proveFaults } from '../provider-faults/prove-faults';
import { runFeatures } from '../provider-faults/run';
import { compileShim, startShimmedVm, type Shim, type ShimmedVm } from '../provider-faults/shimmed-vm';
import { providerVariants } from '../provider-variants';
import { proveVariants } from '../provider-variants/prove-variants';
import { readArguments, type Options } from './prove-options';

/** One of the two proofs, with the library that it takes. */
interface Proof {
  /** The library's source in drivers/native/fixtures. */
  readonly library: string;
  readonly choices: readonly string[];
  /** Runs the proof. @returns how many things are wrong */
  readonly run: (shim: Shim, interruption: Interruption) => Promise<number>;
  /** What to say if nothing is wrong. */
  readonly proved: string;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
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

/**
 * Has a VM for as long as `use` takes, on virtual time: what else the machine does changes no verdict, and a call that
 * never returns costs nothing.
 */
async function inVm(
  kernel: string,
  shim: Shim,
  interruption: Interruption,
  use: (vm: ShimmedVm) => Promise<number>,
): Promise<number> {
  const vm = await startShimmedVm(kernel, shim, say, 'virtual');
  interruption.calls((signal) => {
    vm.driver.close(`the proof was interrupted by ${signal}`).catch(() => undefined);
  });
  try {
    return await use(vm);
  } finally {
    await vm.driver.close();
  }
}

function ofFaults(names: readonly string[], { all, accept, diagnose, kernel }: Options): Proof {
  const faults = Object.entries(providerFaults).filter(([name]) => names.includes(name));
  return {
    library: 'provider-faults',
    choices: faults.map(([name]) => name),
    run: async (shim, interruption) => {
      const plain = all ? await runWithoutLibrary(kernel) : undefined;
      const diagnosis = diagnose ? new ProviderDiagnosis(readKnown()) : undefined;
      const proof = { faults, isWhole: all, isAccepting: accept, diagnosis, say, interruption };
      const wrong = await inVm(kernel, shim, interruption, (vm) => proveFaults(vm, proof, plain));
      for (const line of diagnosis?.report() ?? []) say(line);
      return diagnosis?.isGoodEnough === false ? wrong + 1 : wrong;
    },
    proved: `${faults.length} faults, each is caught by the rules that it breaks`,
  };
}

function ofVariants(names: readonly string[], { quick, kernel }: Options): Proof {
  const variants = Object.entries(providerVariants).filter(([name]) => names.includes(name));
  return {
    library: 'provider-variants',
    choices: variants.map(([name]) => name),
    run: (shim, interruption) => {
      const proof = { variants, isQuick: quick, say, interruption };
      return inVm(kernel, shim, interruption, (vm) => proveVariants(vm, proof));
    },
    proved: `${variants.length} lawful variants, no verdict is another under them`,
  };
}

async function prove({ library, choices, run, proved }: Proof): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-prove-'));
  const remove = (): void => {
    rmSync(folder, { recursive: true });
  };
  const interruption = new Interruption(remove);
  try {
    const wrong = await run(compileShim(library, folder, choices), interruption).catch((error: unknown) => {
      if (interruption.exitCode === undefined) throw error;
      return 0; // the device was taken away in the midst of something
    });
    if (interruption.exitCode !== undefined) {
      say('the proof was interrupted');
      return interruption.exitCode;
    }
    say(wrong === 0 ? proved : `${wrong} WRONG`);
    return wrong === 0 ? 0 : 1;
  } finally {
    interruption.end();
    remove();
  }
}

async function main(args: readonly string[]): Promise<number> {
  try {
    const { names, options } = readArguments(args);
    return await prove(options.lawful ? ofVariants(names, options) : ofFaults(names, options));
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${error instanceof HarnessError ? error.message : String(error)}\n`);
    return error instanceof UsageError ? 2 : 3;
  }
}

void main(process.argv.slice(2)).then((code) => (process.exitCode = code));
