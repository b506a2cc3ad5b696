import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../drivers/contract';
import { loadClauses } from '../../catalog/clauses';
import { oneLine } from '../../catalog/plain-text';
import { judgeRun } from '../../reports/judge/judge';
import type { JudgedRun, JudgedScenario } from '../../reports/judge/judged-run';
import type { Match } from '../../reports/judge/match-deviations';
import { scenariosOf, type ScenarioEntry, type Verdicts } from '../../reports/judge/verdicts';
import { parseMessages } from '../../reports/recording/messages';
import { suiteCommit, suiteVersion } from '../common/project';
import { faultEvidence } from '../inputs/fault-evidence';
import { readNamedFile, resultsBytesMax } from '../inputs/read-file';
import type { RecordedRunFiles } from '../inputs/recorded-runs';

const messagesName = 'messages.ndjson';

/** A recorded run as it was judged, and whether a signal had cut it off; or why nobody can say. */
export type JudgedAgain = { readonly judged: JudgedRun; readonly interrupted: boolean } | { readonly reason: string };

/**
 * Reads a recorded run for reports that need more than its verdicts. These stay as they are, whatever lists of deviations
 * there are today.
 *
 * @throws UsageError if its messages are damaged
 */
export function judgedAgain({ folder, verdicts }: RecordedRunFiles): JudgedAgain {
  const path = join(folder, messagesName);
  if (!existsSync(path)) return { reason: `${folder} has no ${messagesName}` };
  if (verdicts.suite.version !== suiteVersion())
    return { reason: `${folder} is a run of verbspec ${verdicts.suite.version}` };
  const { suite, driver, dut, label, order, redacted } = verdicts;
  const info = { suite, driver, dut, ...(label && { label }), ...(order && { order }), ...(redacted && { redacted }) };
  try {
    const envelopes = parseMessages(readNamedFile(path, resultsBytesMax));
    const interrupted = !envelopes.some(({ testRunFinished }) => testRunFinished !== undefined);
    const recording = { envelopes, info, clauses: loadClauses(), deviations: [], interrupted };
    const judged = judgeRun(recording);
    const entries = new Map(scenariosOf(verdicts).map((entry) => [placeOf(entry), entry]));
    const scenarios = judged.scenarios.map((one) => asJudged(one, entries.get(placeOf(one.recorded)), verdicts));
    return { judged: { ...judged, verdicts, scenarios, faults: faultEvidence(undefined, suiteCommit()) }, interrupted };
  } catch (error) {
    throw new UsageError(`${path} cannot be used: ${oneLine((error as Error).message)}`, 'run it again');
  }
}

function placeOf({ uri, line }: { readonly uri: string; readonly line: number }): string {
  return `${uri}:${line}`;
}

function asJudged(scenario: JudgedScenario, entry: ScenarioEntry | undefined, verdicts: Verdicts): JudgedScenario {
  if (entry === undefined) return scenario;
  const { verdict, detail, notRun = [] } = entry;
  const match = matchOf(scenario, entry, verdicts);
  const unexplained = verdict === 'deviates' ? [] : scenario.unexplained;
  return { ...scenario, verdict, detail, notRun, match, unexplained };
}

/** What the list said of a scenario that it gave its verdict; verdicts do not say which symptom an entry has. */
function matchOf(
  { clauseIds }: JudgedScenario,
  { name, verdict }: ScenarioEntry,
  { deviations = [] }: Verdicts,
): Match {
  const state = verdict === 'deviates' ? 'shown' : verdict === 'surprise' ? verdict : undefined;
  const ofRules = deviations.filter(({ rule }) => clauseIds.includes(rule));
  const ofScenario = ofRules.find(({ scenario }) => scenario === name);
  const entry = ofScenario ?? ofRules.find(({ scenario }) => scenario === undefined);
  if (state === undefined || entry === undefined) return undefined;
  const { rule, scenario, reason, link, owner, listedAt } = entry;
  const place = { rule, ...(scenario && { scenario }), ...(listedAt && { listedAt }) };
  return { deviation: { ...place, when: {}, symptom: [], reason, link, owner }, state };
}
