import { oneLine } from '../../catalog/plain-text';
import type { JudgedScenario } from '../judge/judged-run';
import type { RunInfo } from '../judge/verdicts';

/** The command that runs a scenario again as it ran, for a shell; `undefined` where nobody knows the options of the run. */
export function againCommand({ recorded }: Pick<JudgedScenario, 'recorded'>, { options }: RunInfo): string | undefined {
  if (options === undefined) return undefined;
  const words = ['npx', 'verbspec', 'run', `${recorded.uri}:${recorded.line}`, ...options];
  return oneLine(words.map(shellWord).join(' '));
}

/** A word as a shell takes it for one. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
