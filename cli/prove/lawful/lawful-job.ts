import { capabilities, lackOf, type Capability } from '../../../drivers/contract';
import { backendOf, triedDut } from '../../../drivers/sim';
import { divergence } from '../../../drivers/sim/faults/replay';
import type { History } from '../../../drivers/sim/faults/history';
import { partsOf } from '../../../drivers/sim/lawful';
import type { Variant } from '../../../drivers/sim/lawful/variant';
import type { ProvedScenario } from '../../../reports/proof/proof';
import { placeOf, runWhole } from '../prove-job';

/** A scenario that has to pass on a variant, or is not applicable there. */
export interface LawfulTrial {
  readonly uri: string;
  readonly line: number;
  /** What it needs: see {@link lackOf}. */
  readonly needs: readonly string[];
}

/** What came of a variant. */
export interface LawfulOutcome {
  /** What its trials have not shown. */
  readonly lacks: readonly Capability[];
  /** How many scenarios run otherwise than on the simulator. */
  readonly astray: number;
  /** How many need what it lacks. */
  readonly notApplicable: number;
  /** Those that neither pass nor need what it lacks. */
  readonly failed: readonly ProvedScenario[];
}

/** Tries all scenarios on a variant; those run that get another answer on it. */
export async function runLawful(
  variant: Variant,
  trials: readonly LawfulTrial[],
  histories: ReadonlyMap<string, History>,
  beat: () => void,
): Promise<LawfulOutcome> {
  const parts = partsOf([variant]);
  const dut = await triedDut(backendOf(parts), () => undefined);
  const applicable = trials.filter(({ needs }) => needs.every((need) => lackOf(dut, need) === undefined));
  const astray: LawfulTrial[] = [];
  for (const trial of applicable) {
    beat();
    if ((await divergence(parts, histories.get(placeOf(trial)) ?? [])) !== undefined) astray.push(trial);
  }
  const run = astray.length === 0 ? [] : await runWhole(parts, astray, beat, dut);
  const failed = run.filter(({ verdict }) => verdict !== 'pass');
  return {
    lacks: capabilities.filter((one) => !dut.capabilities.includes(one)),
    astray: astray.length,
    notApplicable: trials.length - applicable.length,
    failed: failed.map(({ recorded: { uri, line, name }, clauseIds, verdict, detail }) => ({
      uri,
      line,
      name,
      clauseIds,
      verdict,
      ...(detail !== undefined && { detail }),
    })),
  };
}
