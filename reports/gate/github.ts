import { oneLine } from '../../catalog/plain-text';
import { isBroken, isFailing, kindInWords, type Change } from './changes';
import type { GateResult } from './judge-gate';

/** Workflow commands that annotate features in a job of GitHub: an error for what fails, a notice for the rest. */
export function githubAnnotations({ changes }: GateResult): string {
  return changes.map((change) => `${annotation(change)}\n`).join('');
}

function annotation(change: Change): string {
  const { kind, subject, what, detail, scenarios } = change;
  const level = isFailing(change) || isBroken(change) ? 'error' : 'notice';
  const [scenario] = scenarios;
  const place = scenario ? [`file=${property(scenario.uri)}`, `line=${scenario.line}`] : [];
  const title = `title=${property(`${kindInWords(kind)}: ${subject}`)}`;
  const told = scenarios.map((each) => [`"${each.name}": ${each.what}`, each.detail ?? ''].filter(Boolean).join('; '));
  const lines = [what, ...(detail === undefined ? [] : [detail]), ...told].map(oneLine);
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
