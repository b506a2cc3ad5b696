import { featurePaths, featureRules } from '../../cli/inputs/features';
import type { Interruption } from '../../cli/common/interruption';
import type { ProviderDiagnosis } from './diagnosis';
import type { ProviderFault } from './fault';
import { describeScenario, differences, isUnexpected, judgeFault, placeOf, type Sound } from './judge-fault';
import { readMetRules, recordMetRules } from './record';
import { runFeatures } from './run';
import { allExposed, allToFail, ownAndBystanders, pathsFor, pathsOf, type Selection } from './selection';
import type { ShimmedVm } from './shimmed-vm';

/** What is to be proved, and where to. */
export interface FaultsProof {
  readonly faults: readonly (readonly [name: string, fault: ProviderFault])[];
  /** Whether each fault runs under every scenario that can notice it. */
  readonly isWhole: boolean;
  /** Whether what fails beside the rules of a fault is recorded. */
  readonly isAccepting: boolean;
  /** What the faults look like, if that is asked. */
  readonly diagnosis: ProviderDiagnosis | undefined;
  readonly say: (line: string) => void;
  readonly interruption: Interruption;
}

/**
 * Runs scenarios under each fault.
 *
 * @param plain - how all scenarios go without the library, if that is to be compared
 * @returns how many things are wrong
 */
export async function proveFaults(
  vm: ShimmedVm,
  proof: FaultsProof,
  plain: readonly Sound[] | undefined,
): Promise<number> {
  const { faults, say, interruption } = proof;
  const idle = await runIdle(vm, proof);
  say(`without a fault: ${idle.length} scenarios`);
  let wrong = 0;
  if (interruption.exitCode === undefined) {
    wrong += complain(say, 'without a fault', idle.filter(isUnexpected).map(describeScenario));
    if (plain) wrong += complain(say, 'without a fault', differences(plain, idle));
  }
  for (const [index, one] of faults.entries()) {
    if (interruption.exitCode !== undefined) break;
    say(`fault ${index + 1} of ${faults.length}: ${one[0]}: ${one[1].effect}`);
    wrong += await prove(vm, one, idle, proof);
  }
  return wrong;
}

/** Runs scenarios with the library and without a fault. Their verdicts are what is expected of them. */
async function runIdle(vm: ShimmedVm, { isWhole, faults }: FaultsProof): Promise<readonly Sound[]> {
  vm.choose(undefined, 'toPass');
  const paths = isWhole
    ? featurePaths()
    : pathsFor(
        faults.map(([, fault]) => fault),
        featureRules(),
      );
  return runFeatures(vm.driver, paths, true);
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
  [name, fault]: FaultsProof['faults'][number],
  idle: readonly Sound[],
  { isWhole, isAccepting, diagnosis, say, interruption }: FaultsProof,
): Promise<number> {
  const recorded = readMetRules()[name] ?? [];
  const selection = isWhole ? allExposed(fault, recorded, idle) : ownAndBystanders(fault, recorded, idle);
  const shown = await runUnder(vm, name, isAccepting ? allToFail(selection) : selection, idle);
  if (interruption.exitCode !== undefined) return 0; // what did not run says nothing of the fault
  diagnosis?.add(name, fault, shown);
  const { met } = judgeFault(fault, { met: recorded, isWhole }, shown);
  const accepted = isWhole ? met : [...new Set([...recorded, ...met])].sort();
  if (isAccepting) recordMetRules({ [name]: accepted });
  const { caughtBy, problems } = judgeFault(fault, { met: isAccepting ? accepted : recorded, isWhole }, shown);
  const besides = met.length > 0 ? `; ${met.length} other rules meet it` : '';
  say(`  caught by ${caughtBy.join(', ') || 'none'} (${shown.length} scenarios)${besides}`);
  return complain(say, name, problems);
}

/** @returns how many things are wrong */
function complain(say: FaultsProof['say'], subject: string, problems: readonly string[]): number {
  for (const problem of problems) say(`  WRONG: ${subject} ${problem}`);
  return problems.length;
}
