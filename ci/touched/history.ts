import { execFileSync } from 'node:child_process';
import { isNaming, additionKinds, namedIn, type FileText, type AdditionKind } from './additions';

/** A commit that adds to the specification, and what it had to touch for that. */
export interface CommitWithAdditions {
  readonly commit: string;
  readonly subject: string;
  readonly files: readonly string[];
  /** Names of what it adds, by kind. */
  readonly added: Readonly<Record<AdditionKind, readonly string[]>>;
}

/** Bytes that git may say at once. */
const outputMax = 256 * 1024 * 1024;

/** A git repository. */
export class History {
  constructor(private readonly folder: string) {}

  /** The commits of a range that add a rule, a verb or a member, the newest first; merges bring nothing of their own. */
  additions(range: string): CommitWithAdditions[] {
    const commits = this.#lines('log', '--no-merges', '--format=%H %s', range, '--');
    return commits.flatMap((line) =>
      this.#additionsOf(line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)),
    );
  }

  /** The first commit in which clauses lie page by page; what came before had another layout. */
  firstByPage(): string | undefined {
    return this.#lines('log', '--diff-filter=A', '--format=%H', '--', 'features/*/*.clauses.json').at(-1);
  }

  #additionsOf(commit: string, subject: string): CommitWithAdditions[] {
    const files = this.#lines('diff-tree', '-r', '--root', '--no-commit-id', '--name-only', commit);
    const naming = files.filter(isNaming);
    if (naming.length === 0) return [];
    const [before, after] = [`${commit}^`, commit].map((revision) => namedIn(this.#read(revision, naming)));
    const news = (kind: AdditionKind): string[] =>
      [...(after?.[kind] ?? [])].filter((name) => before?.[kind].has(name) !== true);
    const added = { rule: news('rule'), verb: news('verb'), member: news('member') };
    return additionKinds.some((kind) => added[kind].length > 0) ? [{ commit, subject, files, added }] : [];
  }

  /** A file that is not in a revision has nothing to say there. */
  #read(revision: string, paths: readonly string[]): FileText[] {
    const there = this.#isThere(revision) ? this.#lines('ls-tree', '-r', '--name-only', revision, '--', ...paths) : [];
    return there.map((path) => ({ path, text: this.#git('show', `${revision}:${path}`) }));
  }

  #isThere(revision: string): boolean {
    try {
      this.#git('rev-parse', '--verify', '--quiet', revision);
      return true;
    } catch {
      return false;
    }
  }

  #lines(...args: string[]): string[] {
    return this.#git(...args)
      .split('\n')
      .filter((line) => line !== '');
  }

  #git(...args: string[]): string {
    const options = { cwd: this.folder, encoding: 'utf8', maxBuffer: outputMax } as const;
    return execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
