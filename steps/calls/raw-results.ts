import assert from 'node:assert/strict';
import { HarnessError, type CallRecord } from '../../drivers/contract';

type Check = (record: CallRecord) => void;

/** What a C function returned before any interpretation, in the words of a scenario. */
interface ResultKind {
  readonly pattern: RegExp;
  readonly check: (record: CallRecord, words: readonly string[]) => void;
}

const errnoName = /^E[A-Z]/;

const kinds: readonly ResultKind[] = [
  {
    pattern: /NULL and left an errno/,
    check: ({ verb, returned, errno = '' }) => {
      assert.equal(returned, null, `what ${verb}() returned`);
      assert.match(errno, errnoName, `errno after ${verb}()`);
    },
  },
  {
    pattern: /-1 and left (E[A-Z]+) in errno/,
    check: ({ verb, returned, errno: left }, [errno]) => {
      assert.deepEqual({ returned, errno: left }, { returned: -1, errno }, `what ${verb}() returned and left in errno`);
    },
  },
  {
    pattern: /NULL/,
    check: ({ verb, returned }) => {
      assert.equal(returned, null, `what ${verb}() returned`);
    },
  },
  {
    pattern: /nothing/,
    check: ({ verb, returned, errno }) => {
      assert.deepEqual({ returned, errno }, { returned: null, errno: undefined }, `what ${verb}() returned`);
    },
  },
  {
    pattern: /a pointer/,
    check: ({ verb, returned }) => {
      assert.equal(typeof returned, 'string', `${verb}() returned a pointer that is not NULL`);
    },
  },
  { pattern: /an errno number/, check: expectErrnoNumber },
  {
    pattern: /-?\d+/,
    check: ({ verb, returned }, [number]) => {
      assert.equal(String(returned), number, `what ${verb}() returned`);
    },
  },
];

/** For the parameter type: the same patterns without groups. */
export const resultPatterns: readonly RegExp[] = kinds.map(
  ({ pattern }) => new RegExp(pattern.source.replace(/\(([^)]*)\)/g, '(?:$1)')),
);

/** The check that words stand for. */
export function resultCheckOf(text: string): Check {
  for (const { pattern, check } of kinds) {
    const match = new RegExp(`^${pattern.source}$`).exec(text);
    if (match !== null)
      return (record) => {
        check(record, match.length > 1 ? match.slice(1) : [text]);
      };
  }
  throw new HarnessError(`"${text}" is no result`);
}

/** Demands that a refusal was told by the errno number itself. */
export function expectErrnoNumber({ verb, returned, errno }: Pick<CallRecord, 'verb' | 'returned' | 'errno'>): void {
  assert.ok(typeof returned === 'number' && returned > 0, `${verb}() returned ${returned}, which is no errno number`);
  assert.match(errno ?? '', errnoName, `the errno name of what ${verb}() returned`);
}
