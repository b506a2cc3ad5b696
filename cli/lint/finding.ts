/** Something wrong at a line of a file of the project. */
export interface LintFinding {
  /** Path within the project. */
  readonly uri: string;
  readonly line: number;
  /** What is wrong; remedy. */
  readonly text: string;
  /** The man page that it concerns, if it concerns one. */
  readonly page?: string;
}

/** One line, as compilers write theirs. */
export function lineOf({ uri, line, text }: LintFinding): string {
  return `${uri}:${line}: ${text}`;
}

/** By file and line. */
export function inOrder(one: LintFinding, other: LintFinding): number {
  return compare(one.uri, other.uri) || one.line - other.line || compare(one.text, other.text);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
