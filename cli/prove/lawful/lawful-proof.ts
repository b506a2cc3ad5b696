import type { Variant } from '../../../drivers/sim/lawful/variant';
import type { ProvedScenario } from '../../../reports/proof/proof';
import { placeOf } from '../prove-job';
import type { LawfulOutcome } from './lawful-job';

/** What a variant has shown. */
export interface LawfulVerdict extends LawfulOutcome {
  readonly variant: string;
  readonly does: string;
  readonly because: string;
}

/** What the lawful variants have shown. */
export interface LawfulProof {
  readonly schemaVersion: 1;
  readonly suite: { readonly version: string; readonly commit: string };
  readonly variants: readonly LawfulVerdict[];
  readonly problems: readonly string[];
}

/** A variant with what came of it. */
export interface TriedVariant {
  readonly name: string;
  readonly variant: Variant;
  readonly outcome: LawfulOutcome;
}

/** @param isWhole - whether all scenarios were tried, so that a rule that a variant is said to break has to be broken */
export function judgeLawful(
  suite: LawfulProof['suite'],
  tried: readonly TriedVariant[],
  isWhole: boolean,
): LawfulProof {
  return {
    schemaVersion: 1,
    suite,
    variants: tried.map(({ name, variant: { does, because }, outcome }) => ({
      variant: name,
      does,
      because,
      ...outcome,
    })),
    problems: tried.flatMap((one) => [
      ...falseAlarms(one),
      ...otherLacks(one),
      ...(isWhole ? [...unbroken(one), ...idle(one)] : []),
    ]),
  };
}

const named = ({ breaks = [], departs = [] }: Variant): readonly string[] => [...breaks, ...departs];

function falseAlarms({ name, variant, outcome }: TriedVariant): string[] {
  const mayBreak = named(variant);
  const isNamed = ({ clauseIds, verdict }: ProvedScenario): boolean =>
    verdict === 'fail' && clauseIds.some((id) => mayBreak.includes(id));
  return outcome.failed
    .filter((one) => !isNamed(one))
    .map((one) => `${name}: ${one.verdict} ${placeOf(one)} (${one.clauseIds.join(', ')}): ${one.detail ?? ''}`);
}

/** What it is said to take away has to be what its trials do not show. */
function otherLacks({ name, variant: { lacks = [] }, outcome }: TriedVariant): string[] {
  const [said, shown] = [[...lacks].sort().join(', '), [...outcome.lacks].sort().join(', ')];
  return said === shown ? [] : [`${name}: it is said to lack ${said || 'nothing'}, and lacks ${shown || 'nothing'}`];
}

function unbroken({ name, variant, outcome: { failed } }: TriedVariant): string[] {
  return named(variant)
    .filter((id) => !failed.some(({ clauseIds }) => clauseIds.includes(id)))
    .map((id) => `${name}: ${id} is not broken by it: take it out`);
}

function idle({ name, outcome: { astray, notApplicable }, variant }: TriedVariant): string[] {
  if (astray + notApplicable > 0 || variant.unseen !== undefined) return [];
  return [`${name}: no scenario runs otherwise on it`];
}
