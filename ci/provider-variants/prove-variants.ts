import { featurePaths, featureRules } from '../../cli/inputs/features';
import type { Interruption } from '../../cli/common/interruption';
import { describeScenario, isUnexpected, type Sound } from '../provider-faults/judge-fault';
import { runFeatures } from '../provider-faults/run';
import { pathsOf } from '../provider-faults/selection';
import type { Capability } from '../../drivers/contract';
import type { ShimmedVm } from '../provider-faults/shimmed-vm';
import { judgeVariant } from './judge-variant';
import { candidatesFor, selectionFor } from './selection';
import type { ProviderVariant } from './variant';

/** What the device shows without a variant. */
interface Without {
  readonly capabilities: readonly Capability[];
  readonly scenarios: readonly Sound[];
}

/** What is to be proved, and where to. */
export interface VariantsProof {
  readonly variants: readonly (readonly [name: string, variant: ProviderVariant])[];
  /** Whether a few scenarios stand for all that can meet a variant. */
  readonly isQuick: boolean;
  readonly say: (line: string) => void;
  readonly interruption: Interruption;
}

/**
 * Runs the scenarios under each variant, and compares their verdicts with those that they have without.
 *
 * @returns how many things are wrong
 */
export async function proveVariants(vm: ShimmedVm, proof: VariantsProof): Promise<number> {
  const { variants, isQuick, say, interruption } = proof;
  const isOver = (): boolean => interruption.exitCode !== undefined;
  const kinds = variants.map(([, variant]) => variant);
  const paths = isQuick ? candidatesFor(kinds, featureRules()) : featurePaths();
  vm.choose(undefined, 'toPass');
  const without = await runFeatures(vm.driver, paths, true);
  if (isOver()) return 0;
  say(`without a variant: ${without.length} scenarios`);
  let wrong = complain(say, 'without a variant', without.filter(isUnexpected).map(describeScenario));
  const { capabilities } = vm.driver.dut;
  for (const [index, [name, variant]] of variants.entries()) {
    say(`variant ${index + 1} of ${variants.length}: ${name}: ${variant.does}`);
    const problems = await problemsOf(vm, name, variant, { capabilities, scenarios: without }, proof);
    if (isOver()) break; // what did not run says nothing of the variant
    wrong += complain(say, name, problems);
  }
  return wrong;
}

async function problemsOf(
  vm: ShimmedVm,
  name: string,
  variant: ProviderVariant,
  without: Without,
  { isQuick, say }: VariantsProof,
): Promise<readonly string[]> {
  const scenarios = isQuick ? selectionFor(variant, without.scenarios) : without.scenarios;
  vm.choose(name, 'toPass');
  const isTried = !isQuick || variant.lacks !== undefined;
  const capabilities = isTried ? await vm.tryAgain() : without.capabilities;
  const changesInTrials = vm.takeChanges();
  // without a path Cucumber runs all features
  const shown = scenarios.length === 0 ? [] : await runFeatures(vm.driver, pathsOf(scenarios), true);
  // where it only refuses what it lacks, no scenario asks for that
  const changes = vm.takeChanges() + (variant.lacks === undefined ? 0 : changesInTrials);
  say(`  ${shown.length} scenarios; the provider did otherwise ${changes} times`);
  return judgeVariant(variant, { ...without, scenarios }, { capabilities, scenarios: shown, changes });
}

function complain(say: (line: string) => void, subject: string, problems: readonly string[]): number {
  for (const problem of problems) say(`  WRONG: ${subject} ${problem}`);
  return problems.length;
}
