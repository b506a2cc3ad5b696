import { constants } from 'node:os';
import { amiss } from '../../reports/judge/match-deviations';
import type { JudgedRun } from '../../reports/judge/judged-run';
import { scenariosOf } from '../../reports/judge/verdicts';
import type { RuleVerdict, ScenarioVerdict } from '../../catalog/verdict';

/** The last line of a run: its exit code, and what it is for. */
export function exitLine(code: number, { verdicts, problems }: Pick<JudgedRun, 'verdicts' | 'problems'>): string {
  const reasons = code === 0 ? asExpected(verdicts) : [...signalOf(code), ...reasonsOf(verdicts, problems)];
  return `exit ${code}: ${reasons.join(', ') || 'the report could not be made'}`;
}

type Verdicts = JudgedRun['verdicts'];

function asExpected(verdicts: Verdicts): string[] {
  const listed = scenariosOf(verdicts).filter(({ verdict }) => verdict === 'deviates').length;
  const absent = verdicts.deviations?.filter(({ state }) => state === 'not-this-time').length ?? 0;
  return [
    'nothing unexpected',
    ...(listed === 0 ? [] : [`${inWords(listed, 'scenario deviates', 'scenarios deviate')} as listed`]),
    ...(absent === 0 ? [] : [`${inWords(absent, 'listed deviation', 'listed deviations')} did not show this time`]),
  ];
}

function signalOf(code: number): string[] {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? [];
  return name === undefined ? [] : [`ended by ${name}`];
}

function reasonsOf(verdicts: Verdicts, problems: readonly string[]): string[] {
  const rules = (verdict: RuleVerdict): number => verdicts.rules.filter((rule) => rule.verdict === verdict).length;
  const scenarios = (verdict: ScenarioVerdict): number =>
    scenariosOf(verdicts).filter((scenario) => scenario.verdict === verdict).length;
  const toFix = verdicts.deviations?.filter(({ state }) => amiss.has(state)).length ?? 0;
  const missing = verdicts.expectedCapabilities?.missing.length ?? 0;
  const counted: readonly (readonly [number, string, string])[] = [
    [rules('violates'), 'rule violated', 'rules violated'],
    [rules('blocked'), 'rule blocked', 'rules blocked'],
    [scenarios('surprise'), 'listed deviation did not show', 'listed deviations did not show'],
    [toFix, 'entry of the list of deviations to fix', 'entries of the list of deviations to fix'],
    [missing, 'expected capability missing', 'expected capabilities missing'],
    [scenarios('broken'), 'scenario broken', 'scenarios broken'],
    [problems.length, 'problem', 'problems'],
  ];
  const lost = verdicts.dutLost === undefined ? [] : ['the device under test was lost'];
  return [...lost, ...counted.flatMap(([count, one, many]) => (count === 0 ? [] : [inWords(count, one, many)]))];
}

function inWords(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
