import { additionKinds, type AdditionKind } from './additions';
import type { CommitWithAdditions } from './history';

/** Files that a commit may touch for each rule, verb or member that it adds. */
export const filesMax: Readonly<Record<AdditionKind, number>> = { rule: 4, verb: 6, member: 2 };

/** Files that a commit may touch for all that it adds. */
export function allowance({ added }: CommitWithAdditions): number {
  return additionKinds.reduce((sum, kind) => sum + filesMax[kind] * added[kind].length, 0);
}

/** Whether adding was dearer than it may be. */
export function isTooMany(commit: CommitWithAdditions): boolean {
  return commit.files.length > allowance(commit);
}

/** `1a2b3c4  3 files of 4  1 rule (ibv_poll_cq.fifo)  cq: first in, first out`, and the files where they are too many. */
export function reportLines(commit: CommitWithAdditions): string[] {
  const { commit: id, subject, files } = commit;
  const line = `${id.slice(0, 7)}  ${files.length} files of ${allowance(commit)}  ${addedInWords(commit)}  ${subject}`;
  return isTooMany(commit) ? [`TOO MANY  ${line}`, ...files.map((file) => `    ${file}`)] : [line];
}

function addedInWords({ added }: CommitWithAdditions): string {
  return additionKinds
    .filter((kind) => added[kind].length > 0)
    .map((kind) => {
      const [first = '', ...others] = added[kind];
      const names = others.length === 0 ? first : `${first} and ${others.length} more`;
      return `${added[kind].length} ${others.length === 0 ? kind : `${kind}s`} (${names})`;
    })
    .join(', ');
}
