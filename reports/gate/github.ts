import { oneLine } from '../../catalog/plain-text';
import type { Cause } from '../diagnosis/causes';
import { rulesOf } from '../diagnosis/causes-text';
import { countsOf, isBroken, isFailing, kindInWords, type Change, type ScenarioChange } from './changes';
import { failedScenarios, placeOf, unexplainedChanges } from './gate-causes';
import type { GateResult } from './judge-gate';

/** Annotations of each level beside the count of the others: GitHub shows ten. */
const shownMax = 9;

/**
 * Workflow commands that annotate features in a job of GitHub: an error for each cause and for what fails and has none, a
 * notice for the rest. What has no annotation of its own is counted.
 */
export function githubAnnotations({ changes, causes }: GateResult): string {
  const scenarios = failedScenarios(changes);
  const others = unexplainedChanges(causes, changes);
  const told = causes.causes.slice(0, shownMax);
  const errors = others.filter(isError).slice(0, shownMax - told.length);
  const notices = others.filter((change) => !isError(change)).slice(0, shownMax);
  const shown = new Set([...errors, ...notices]);
  const rest = changes.filter((change) => !shown.has(change));
  const lines = [
    ...told.map((cause) => causeAnnotation(cause, scenarios.get(placeOf(cause.first)))),
    ...[...errors, ...notices].map(annotation),
    ...(rest.length === 0 ? [] : [`::notice title=no annotation of their own::${restInWords(rest)}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function isError(change: Change): boolean {
  return isFailing(change) || isBroken(change);
}

function restInWords(rest: readonly Change[]): string {
  return data(`${countsOf(rest).join(', ')}; the log of the job and its summary list them`);
}

function causeAnnotation(cause: Cause, example: ScenarioChange | undefined): string {
  const { title, words, first } = cause;
  const place = [`file=${property(first.uri)}`, `line=${first.line}`];
  const told = [words, rulesOf(cause), `for example "${first.name}"`, example?.detail];
  const lines = told.flatMap((text) => (text === undefined ? [] : [oneLine(text)]));
  return `::error ${[...place, `title=${property(title)}`].join(',')}::${lines.map(data).join('%0A')}`;
}

function annotation(change: Change): string {
  const { kind, subject, what, detail, elsewhere, scenarios } = change;
  const level = isError(change) ? 'error' : 'notice';
  const [scenario] = scenarios;
  const place = scenario ? [`file=${property(scenario.uri)}`, `line=${scenario.line}`] : [];
  const title = `title=${property(`${kindInWords(kind)}: ${subject}`)}`;
  const told = scenarios.map((each) => [`"${each.name}": ${each.what}`, each.detail ?? ''].filter(Boolean).join('; '));
  const lines = [what, ...[detail, elsewhere].filter((text) => text !== undefined), ...told].map(oneLine);
  return `::${level} ${[...place, title].join(',')}::${lines.map(data).join('%0A')}`;
}

/** As the toolkit of GitHub Actions escapes the text of a command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** The same for a parameter, where colon and comma end it. */
function property(text: string): string {
  return data(oneLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
