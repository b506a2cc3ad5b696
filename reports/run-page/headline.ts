import type { RuleVerdict } from '../../catalog/verdict';
import { dutFacts } from '../evidence/dut-text';
import { dutName } from '../evidence/dut-name';
import type { RuleEntry, Verdicts } from '../judge/verdicts';
import type { PageInput } from './page-input';

/** What rules came to, where it matters how they conform: `accepted` conforms, and its effect was not shown. */
export type Standing = RuleVerdict | 'accepted';

/** In the order of bars and tiles. */
export const standings = [
  'conforms',
  'accepted',
  'deviates',
  'violates',
  'blocked',
  'broken',
  'not-applicable',
  'untested',
] as const satisfies readonly Standing[];

/** What readers call them. */
export const standingWords: Readonly<Record<Standing, string>> = {
  conforms: 'conform',
  accepted: 'accepted, effect not shown',
  deviates: 'deviate, as listed',
  violates: 'violated',
  blocked: 'blocked',
  broken: 'broken set-up',
  'not-applicable': 'not applicable',
  untested: 'no scenario',
};

/** How many rules came to what. */
export interface Share {
  readonly standing: Standing;
  readonly count: number;
}

/** The rules of one man page. */
export interface PageShares {
  readonly page: string;
  /** Rules that apply. */
  readonly total: number;
  readonly shares: readonly Share[];
}

/** What stands on top. */
export interface Headline {
  readonly device: string;
  /** What the run says of the device, in a sentence. */
  readonly sentence: string;
  /** Why that is not all there is to be said, each a sentence. */
  readonly remarks: readonly string[];
  /** How bad it is. */
  readonly tone: 'good' | 'known' | 'bad' | 'none';
  readonly shares: readonly Share[];
  readonly pages: readonly PageShares[];
  readonly facts: readonly string[];
  readonly exit: string;
}

/** The top of the page: it never says that a device conforms where something does not. */
export function headlineOf({ judged: { verdicts, problems }, exit, interrupted }: PageInput): Headline {
  const { rules, label } = verdicts;
  const counts = countsOf(rules);
  const device = [...(label === undefined ? [] : [label]), dutName(verdicts)].join(', ');
  return {
    device,
    ...statementOf(counts),
    remarks: [...cuts(verdicts, interrupted), ...besides(counts, rules), ...problems.map((one) => `Problem: ${one}`)],
    shares: sharesOf(counts),
    pages: [...new Set(rules.map(({ page }) => page))].map((page) => pageShares(page, rules)),
    facts: factsOf(verdicts),
    exit,
  };
}

/** What a run says of its device, in a sentence without a subject: `violates 2 of 251 rules`. */
export function conformance({ rules }: Pick<Verdicts, 'rules'>): string {
  return statementOf(countsOf(rules)).sentence;
}

/** Where a rule stands. */
export function standingOf({ verdict, effectNotShown }: Pick<RuleEntry, 'verdict' | 'effectNotShown'>): Standing {
  return verdict === 'conforms' && effectNotShown ? 'accepted' : verdict;
}

type Counts = Readonly<Record<Standing, number>>;

function countsOf(rules: readonly RuleEntry[]): Counts {
  const count = (wanted: Standing): number => rules.filter((rule) => standingOf(rule) === wanted).length;
  return Object.fromEntries(standings.map((standing) => [standing, count(standing)])) as Record<Standing, number>;
}

const sharesOf = (counts: Counts): Share[] =>
  standings.flatMap((standing) => (counts[standing] === 0 ? [] : [{ standing, count: counts[standing] }]));

function pageShares(page: string, rules: readonly RuleEntry[]): PageShares {
  const counts = countsOf(rules.filter((rule) => rule.page === page));
  return { page, total: applicable(counts), shares: sharesOf(counts) };
}

/** Rules on which a device can stand well or badly. */
function applicable({ conforms, accepted, deviates, violates, blocked, broken }: Counts): number {
  return conforms + accepted + deviates + violates + blocked + broken;
}

function statementOf(counts: Counts): Pick<Headline, 'sentence' | 'tone'> {
  const { accepted, violates, blocked, broken, deviates } = counts;
  const all = applicable(counts);
  const of = (count: number): string => `${count} of ${all} ${all === 1 ? 'rule' : 'rules'}`;
  if (all === 0) return { sentence: 'says nothing: no rule was judged', tone: 'none' };
  if (violates > 0) return { sentence: `violates ${of(violates)}`, tone: 'bad' };
  if (blocked > 0) return { sentence: `blocked ${of(blocked)}, which were not judged`, tone: 'bad' };
  if (broken > 0) return { sentence: `could not be judged by ${of(broken)}: the set-up is broken`, tone: 'none' };
  if (deviates > 0) return { sentence: `deviates from ${of(deviates)}, each as listed`, tone: 'known' };
  const unshown = accepted === 0 ? '' : `; ${accepted} of them are accepted, their effect was not shown`;
  return {
    sentence: (all === 1 ? 'conforms to the one rule' : `conforms to all ${all} rules`) + unshown,
    tone: 'good',
  };
}

function cuts({ dutLost, startedAt, expectedCapabilities }: Verdicts, interrupted: boolean): string[] {
  const missing = expectedCapabilities?.missing ?? [];
  return [
    ...(interrupted ? [`The run of ${startedAt} was interrupted: rules that did not run are not counted.`] : []),
    ...(dutLost === undefined ? [] : [`The device was lost before the end: ${dutLost}`]),
    ...(missing.length === 0 ? [] : [`Expected capabilities are missing: ${missing.join(', ')}`]),
  ];
}

/** What the sentence leaves out. */
function besides(counts: Counts, rules: readonly RuleEntry[]): string[] {
  const { conforms, accepted, deviates, violates, blocked, broken } = counts;
  const are = (count: number): string => `${count} ${count === 1 ? 'rule' : 'rules'}`;
  const unshown = accepted === 0 ? [] : [`${accepted} more were accepted, their effect was not shown`];
  const others = [
    ...(violates > 0 && blocked > 0
      ? [`${are(blocked)} could not be judged, as the device blocked the scenarios`]
      : []),
    ...(violates + blocked > 0 && broken > 0 ? [`of ${are(broken)} the set-up is broken`] : []),
    ...(violates + blocked + broken > 0 && deviates > 0 ? [`from ${are(deviates)} it deviates as listed`] : []),
    ...(violates + blocked + broken + deviates > 0 ? [`${conforms} conform`, ...unshown] : []),
  ];
  const partly = rules.some(({ reason }) => reason?.includes('scenarios were selected'));
  return [
    ...(others.length === 0 ? [] : [`${others.join('; ')}.`.replace(/^./, (letter) => letter.toUpperCase())]),
    ...(partly ? ['Of some rules only a part of the scenarios was selected.'] : []),
  ];
}

function factsOf({ dut, suite, driver, startedAt, durationMs, order, authorities, redacted }: Verdicts): string[] {
  return [
    `driver ${driver}`,
    ...dutFacts(dut),
    `verbspec ${suite.version} (${suite.commit.slice(0, 10)})`,
    `started ${startedAt}`,
    `took ${(durationMs / 1000).toFixed(1)} s`,
    ...(order === undefined ? [] : [`order ${order}`]),
    ...(authorities === undefined ? [] : [`authority ${authorities.join(' or ')}`]),
    ...(redacted ? ['addresses and names redacted'] : []),
  ];
}
