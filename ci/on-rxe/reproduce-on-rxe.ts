/**
 * Shows on a real rdma_rxe in a VM that the programs of `verbspec reproduce` show what failed, and nothing else:
 *
 *     node -r ./ci/typescript.js ci/on-rxe/reproduce-on-rxe.ts [--all | FAULT ...] [--run reports/out/soft-roce] [--kernel 6.1]
 *
 * Of the scenarios that deviate as listed in a run on that kernel, each program has to exit with 1. Of scenarios that fail
 * under faults of ci/provider-faults, each has to exit with 1 with the fault, and with 0 without it. Without --all it takes
 * a handful of both, and with names of faults those faults alone. Both cc and clang have to compile the programs without
 * a warning; where there is no clang it says so.
 */
import { parseArgs } from 'node:util';
import { HarnessError, UsageError } from '../../drivers/contract';
import { providerFaults } from '../provider-faults';
import { compileShim, startShimmedVm, type ShimmedVm } from '../provider-faults/shimmed-vm';
import { placeOf } from '../../cli/reproduce/recorded-scenario';
import { deviationsIn, failuresOf, placesOf } from '../reproduce/failures';
import {
  compiled,
  freshFolder,
  hasClang,
  runInVm,
  type Made,
  type Trial,
  type TrialResult,
} from '../reproduce/programs';

/** Faults of different kinds: an event that is lost, one too many, a refusal. */
const fewFaults = ['event-is-lost', 'new-cq-is-armed', 'second-arming-is-refused'];
const fewDeviations = 5;
/** Scenarios that are run before a program is made of one that failed. */
const atOnce = 8;

interface Options {
  readonly all: boolean;
  /** Faults that are asked for by name. */
  readonly faults: readonly string[];
  readonly run: string;
  readonly kernel: string;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Programs of listed deviations. @returns what is to be tried, and of what no program can be made */
async function ofDeviations({ all, faults, run }: Options, folder: string): Promise<[Trial[], string[]]> {
  if (faults.length > 0) return [[], []];
  const deviating = deviationsIn(run);
  const every = all ? 1 : Math.max(1, Math.floor(deviating.length / fewDeviations));
  const trials: Trial[] = [];
  const refused: string[] = [];
  for (const chosen of deviating.filter((_, index) => index % every === 0)) {
    const made = await compiled(chosen, folder, 'deviation');
    if ('refusal' in made) refused.push(made.refusal);
    else trials.push({ what: `deviation ${chosen.entry.name}`, program: made.program, environment: [], code: 1 });
  }
  return [trials, refused];
}

/** Programs of faults of the provider, each for a run with the fault and one without. */
async function ofFaults(options: Options, folder: string): Promise<[Trial[], string[]]> {
  const names = namesOfFaults(options);
  const shim = compileShim('provider-faults', folder, names);
  const vm = await startShimmedVm(options.kernel, shim, say, 'wall');
  const trials: Trial[] = [];
  const refused: string[] = [];
  try {
    const failing = await failingAnyway(vm, names);
    for (const [index, name] of names.entries()) {
      say(`fault ${index + 1} of ${names.length}: ${name}`);
      const made = await programOf(vm, name, failing, folder);
      if ('refusal' in made) refused.push(`${name}: ${made.refusal}`);
      else trials.push(...withAndWithout(name, made.program, [shim.file, names.join(' '), index + 1]));
    }
  } finally {
    await vm.driver.close();
  }
  return [trials, refused];
}

function namesOfFaults({ all, faults }: Options): string[] {
  const names = Object.keys(providerFaults);
  const unknown = faults.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`unknown fault "${unknown}"; there are ${names.join(', ')}`);
  if (faults.length > 0) return [...faults];
  return names.filter((name) => all || fewFaults.includes(name));
}

const rulesOf = (name: string): readonly string[] => providerFaults[name]?.rules ?? [];

/** Where scenarios stand that fail without a fault, or could, as they are slow: what they show says nothing of one. */
async function failingAnyway(vm: ShimmedVm, names: readonly string[]): Promise<ReadonlySet<string>> {
  vm.choose(undefined, 'toFail');
  const failures = await failuresOf(vm.driver, placesOf(names.flatMap(rulesOf)));
  return new Set(failures.map(({ entry }) => placeOf(entry)));
}

/** The program of the first scenario that fails under a fault alone and of which one can be made. */
async function programOf(vm: ShimmedVm, name: string, failing: ReadonlySet<string>, folder: string): Promise<Made> {
  vm.choose(name, 'toFail');
  const places = placesOf(rulesOf(name)).filter((place) => !failing.has(place));
  let refusal = 'no scenario failed that passes without the fault';
  for (let from = 0; from < places.length; from += atOnce) {
    for (const failure of await failuresOf(vm.driver, places.slice(from, from + atOnce))) {
      const made = await compiled(failure, folder, name);
      if ('program' in made) return made;
      ({ refusal } = made);
    }
  }
  return { refusal };
}

function withAndWithout(name: string, program: string, [file, names, choice]: [string, string, number]): Trial[] {
  const environment = [`LD_PRELOAD=${file}`, `VERBSPEC_SHIM=${names}`, `VERBSPEC_SHIM_FIRST=${choice}`];
  return [
    { what: `fault ${name}`, program, environment, code: 1 },
    { what: `without fault ${name}`, program, environment: [], code: 0 },
  ];
}

function tell(results: readonly TrialResult[], refused: readonly string[]): number {
  for (const { what, code, ended, said } of results)
    say(`${ended === code ? 'as it has to be' : `WRONG, has to be ${code}`}: exit code ${ended}: ${what}: ${said}`);
  const programs = new Set(results.map(({ program }) => program)).size;
  say(
    `${programs} programs were compiled without warnings by cc${hasClang() ? ' and by clang' : ' alone: there is no clang'}`,
  );
  for (const refusal of refused) say(`no program: ${refusal}`);
  const right = results.filter(({ code, ended }) => code === ended).length;
  const reproducing = results.filter(({ code }) => code === 1);
  const reproduced = reproducing.filter(({ ended }) => ended === 1).length;
  say(
    `${reproduced} of ${reproducing.length + refused.length} failures are reproduced; ${right} of ${results.length} as they have to be`,
  );
  return right === results.length ? 0 : 1;
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      run: { type: 'string', default: 'reports/out/soft-roce' },
      kernel: { type: 'string', default: '6.1' },
    },
  });
  const options = { ...values, faults: positionals };
  const folder = freshFolder();
  const [deviations, notMade] = await ofDeviations(options, folder);
  const [faults, alsoNotMade] = await ofFaults(options, folder);
  return tell(runInVm([...deviations, ...faults], folder, values.kernel), [...notMade, ...alsoNotMade]);
}

void main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof HarnessError ? error.message : String(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 3;
  },
);
