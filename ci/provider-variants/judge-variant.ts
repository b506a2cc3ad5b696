import { lackText, type Capability } from '../../drivers/contract';
import { describeScenario, placeOf, type Shown } from '../provider-faults/judge-fault';
import type { ProviderVariant } from './variant';

/** What a device showed under a variant. */
export interface Observed {
  /** By its trials. */
  readonly capabilities: readonly Capability[];
  readonly scenarios: readonly Shown[];
  /** How often the provider did otherwise. */
  readonly changes: number;
}

/**
 * Compares what a device showed under a variant with what it showed without.
 *
 * @param without - of the scenarios that ran under the variant, those of the rules that it breaks among them
 * @returns what is wrong, one line each
 */
export function judgeVariant(
  variant: ProviderVariant,
  without: Omit<Observed, 'changes'>,
  under: Observed,
): readonly string[] {
  return [
    ...otherLacks(variant, without.capabilities, under.capabilities),
    ...otherVerdicts(variant, without.scenarios, under.scenarios),
    ...unbroken(variant, under.scenarios),
    ...(under.changes > 0 ? [] : ['has changed nothing']),
  ];
}

/** What it is said to take away has to be what its trials do not show, of what the device has. */
function otherLacks(
  { lacks = [] }: ProviderVariant,
  without: readonly Capability[],
  under: readonly Capability[],
): readonly string[] {
  const said = without.filter((one) => lacks.includes(one)).join(', ') || 'nothing';
  const shown = without.filter((one) => !under.includes(one)).join(', ') || 'nothing';
  const gained = under.filter((one) => !without.includes(one));
  return [
    ...(said === shown ? [] : [`is said to take away ${said}, and takes away ${shown}`]),
    ...gained.map((one) => `adds ${one}`),
  ];
}

function otherVerdicts(variant: ProviderVariant, without: readonly Shown[], under: readonly Shown[]): string[] {
  const before = new Map(without.map((one) => [placeOf(one), one.verdict]));
  const isMeant = (one: Shown): boolean =>
    before.get(placeOf(one)) === one.verdict || isBroken(variant, one) || isLacking(variant, one);
  const others = under.filter((one) => !isMeant(one));
  const after = new Set(under.map(placeOf));
  return [
    ...others.map((one) => `turns ${before.get(placeOf(one)) ?? 'nothing'} into ${describeScenario(one)}`),
    ...without.filter((one) => !after.has(placeOf(one))).map((one) => `keeps ${placeOf(one)} from running`),
  ];
}

function isBroken({ breaks = [] }: ProviderVariant, { verdict, clauseIds }: Shown): boolean {
  return verdict === 'fail' && clauseIds.some((id) => breaks.includes(id));
}

function isLacking({ lacks = [] }: ProviderVariant, { verdict, detail = '' }: Shown): boolean {
  return verdict === 'not-applicable' && lacks.some((one) => detail.includes(lackText(one)));
}

/** A rule is named only where it is broken. */
function unbroken(variant: ProviderVariant, under: readonly Shown[]): readonly string[] {
  const broken = new Set(under.filter((one) => isBroken(variant, one)).flatMap(({ clauseIds }) => clauseIds));
  return (variant.breaks ?? []).filter((id) => !broken.has(id)).map((id) => `does not break ${id}: take it out`);
}
