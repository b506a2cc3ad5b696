import { authorityNames } from '../../catalog/authority';
import type { Clause, Clauses } from '../../catalog/clauses';
import { oneLine } from '../../catalog/plain-text';
import { matchDetail } from '../judge/deviation-entries';
import type { JudgedScenario } from '../judge/judged-run';
import type { Finding } from '../judge/outcome';
import type { RunInfo } from '../judge/verdicts';
import { againCommand } from './again';
import type { ScenarioVerdict } from '../../catalog/verdict';

/** How the explanation of a verdict begins; reports sort by it. */
export const headings: Record<Exclude<ScenarioVerdict, 'pass'>, string> = {
  fail: 'Failed rule',
  crash: 'Crash',
  hang: 'Hang',
  panic: 'Kernel panic',
  deviates: 'Known deviation',
  surprise: 'Surprise',
  'not-applicable': 'Not applicable',
  blocked: 'Blocked',
  broken: 'Broken harness',
};

/** How the explanation of a deviation begins that no scenario stands for; reports sort by it. */
export const listHeadings = { expired: 'Expired deviation', unused: 'Unused deviation' } as const;

/** The clauses that a scenario shows, in the order of its Rule's tags. */
export function clausesOf(scenario: JudgedScenario, clauses: Clauses): Clause[] {
  return scenario.clauseIds.flatMap((id) => clauses.get(id) ?? []);
}

/** Where a clause stands, and what else it rests on: `ibv_poll_cq(3), DESCRIPTION; InfiniBand specification, 11.6.2`. */
export function citation({ page, section, authority, ibta }: Clause): string {
  const isTold = authority === 'page' || section.includes(authorityNames[authority]);
  const number = ibta === undefined ? '' : `, ${ibta}`;
  return `${page}(3), ${section}${isTold ? '' : `; ${authorityNames[authority]}${number}`}`;
}

/**
 * Explains the verdict on a scenario in plain text: what it is, the rule in words with page and section, and what was
 * expected and observed.
 *
 * @param info - of the run, for the command that runs the scenario again
 * @returns `undefined` for a pass
 */
export function explain(scenario: JudgedScenario, clauses: Clauses, info?: RunInfo): string | undefined {
  if (scenario.verdict === 'pass') return undefined;
  const citations = clausesOf(scenario, clauses).map((clause) => `${citation(clause)} [${clause.id}]`);
  const title = scenario.verdict === 'fail' ? [] : ruleInWords(scenario).slice(0, 1);
  const rule = [...title, ...citations].join('\n');
  const findings = scenario.outcome.findings
    .filter((finding) => finding.verdict !== 'not-applicable')
    .map((finding) => renderFields(fieldsOf(finding)));
  const listed = listedFields(scenario).map((field) => renderFields([field]));
  const again = info && againField(scenario, info).map((field) => renderFields([field]));
  const parts = [
    `${headings[scenario.verdict]}: ${headline(scenario)}`,
    rule,
    ...findings,
    ...listed,
    ...(again ?? []),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The same in one line: what it is, and the values of the first thing that went wrong; `undefined` for a pass. */
export function explainInLine(scenario: JudgedScenario): string | undefined {
  if (scenario.verdict === 'pass') return undefined;
  const { findings } = scenario.outcome;
  const compared = findings.find(({ expected }) => expected !== undefined);
  const words = scenario.verdict === 'fail' ? (findings[0]?.words ?? '') : '';
  const values =
    compared === undefined ? [words] : [`expected ${compared.expected ?? ''}`, `observed ${compared.observed ?? ''}`];
  return oneLine(
    [`${headings[scenario.verdict]}: ${headline(scenario)}`, ...values].filter((part) => part !== '').join('; '),
  );
}

/** The title of a scenario's Rule, and what the Rule adds to it. */
export function ruleInWords({ recorded: { place } }: JudgedScenario): string[] {
  const { name = '', description = '' } = place?.rule ?? {};
  return [name, description].map(oneLine).filter((text) => text !== '');
}

/** The one line that says most. */
function headline({ verdict, outcome, recorded, match, detail }: JudgedScenario): string {
  switch (verdict) {
    case 'fail':
      return recorded.place?.rule?.name ?? recorded.name;
    case 'deviates':
      return match?.deviation.reason ?? '';
    case 'surprise':
    case 'pass':
      return detail ?? '';
    case 'crash':
    case 'hang':
    case 'panic':
    case 'blocked':
    case 'broken':
    case 'not-applicable':
      return outcome.findings.find((finding) => finding.verdict === verdict)?.words ?? '';
  }
}

/** What a finding has to say, as headed fields. */
export function fieldsOf({ where, words, expected, observed }: Finding): [string, string][] {
  const fields: [string, string | undefined][] = [
    ['Step', where.replace(/:$/, '')], // of a step with a table
    [expected === undefined ? 'Says' : 'Checked', words],
    ['Expected', expected],
    ['Observed', observed],
  ];
  return fields.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]]));
}

/** Why a listed deviation does not excuse a scenario, or what it does not let it show, as headed fields. */
export function listedFields({ match, verdict, notRun }: JudgedScenario): [string, string][] {
  const isExcuse = match === undefined || verdict === 'deviates' || verdict === 'surprise';
  return [
    ...(isExcuse ? [] : [['Listed', matchDetail(match)] satisfies [string, string]]),
    ...notRun.map((step): [string, string] => ['Not run', step]),
  ];
}

/** How to run a scenario again, as a headed field; what does not apply would not run either. */
export function againField(scenario: JudgedScenario, info: RunInfo): [string, string][] {
  const command = scenario.verdict === 'not-applicable' ? undefined : againCommand(scenario, info);
  return command === undefined ? [] : [['Again', command]];
}

function renderFields(fields: readonly (readonly [string, string])[]): string {
  return fields.map(([name, value]) => `${`${name}:`.padEnd(10)}${value}`).join('\n');
}
