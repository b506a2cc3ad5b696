/**
 * Counts the files that commits touched to add a rule, a verb or a member of a struct:
 *
 *   npm run touched                   since clauses lie page by page
 *   npm run touched -- HEAD~20..HEAD  of any range
 *
 * Exit code 1 if one of them touched more than a rule, a verb or a member may take.
 */
import { join } from 'node:path';
import { oneLine } from '../../catalog/plain-text';
import { History, type CommitWithAdditions } from './history';
import { isTooMany, reportLines } from './judge';

const history = new History(join(__dirname, '..', '..'));
const first = history.firstByPage();
const range = process.argv[2] ?? (first === undefined ? 'HEAD' : `${first}..HEAD`);
const commits = additionsIn(range);
for (const line of commits.flatMap(reportLines))
  process.stdout.write(`${line.startsWith(' ') ? '    ' : ''}${oneLine(line)}\n`);
const bad = commits.filter(isTooMany).length;
process.stdout.write(
  `${commits.length} commits add a rule, a verb or a member; ${bad} of them touched too many files\n`,
);
process.exitCode = bad > 0 ? 1 : 0;

function additionsIn(revisions: string): CommitWithAdditions[] {
  try {
    return history.additions(revisions);
  } catch (error) {
    process.stderr.write(`touched: ${oneLine(error instanceof Error ? error.message : String(error))}\n`);
    return process.exit(2);
  }
}
