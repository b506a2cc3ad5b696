import { check, checkEqual, HarnessError, type CallRecord } from '../../drivers/contract';

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
    check: ({ verb, returned, errno }) => {
      const compared = { expected: { returned: null, errno: 'an errno' }, observed: { returned, errno } };
      check(returned === null && errnoName.test(errno ?? ''), { subject: subjectOf(verb), ...compared });
    },
  },
  {
    pattern: /-1 and left (E[A-Z]+) in errno/,
    check: ({ verb, returned, errno: left }, [errno]) => {
      checkEqual({ subject: subjectOf(verb), expected: { returned: -1, errno }, observed: { returned, errno: left } });
    },
  },
  {
    pattern: /NULL/,
    check: ({ verb, returned }) => {
      checkEqual({ subject: subjectOf(verb), expected: { returned: null }, observed: { returned } });
    },
  },
  {
    pattern: /nothing/,
    check: ({ verb, returned, errno }) => {
      checkEqual({ subject: subjectOf(verb), expected: { returned: null }, observed: { returned, errno } });
    },
  },
  {
    pattern: /a pointer/,
    check: ({ verb, returned }) => {
      const expected = { returned: 'a pointer that is not NULL' };
      check(typeof returned === 'string', { subject: subjectOf(verb), expected, observed: { returned } });
    },
  },
  { pattern: /an errno number/, check: expectErrnoNumber },
  {
    pattern: /the errno number (E[A-Z]+)/,
    check: ({ verb, returned, errno }, [name]) => {
      const isIt = typeof returned === 'number' && returned > 0 && errno === name;
      const expected = { returned: 'an errno number', errno: name };
      check(isIt, { subject: subjectOf(verb), expected, observed: { returned, errno } });
    },
  },
  {
    pattern: /-?\d+/,
    check: ({ verb, returned }, [number]) => {
      checkEqual({ subject: subjectOf(verb), expected: { returned: Number(number) }, observed: { returned } });
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
  throw new HarnessError(`"${text}" is not a result`);
}

/** Demands that a refusal returned the errno number itself. */
export function expectErrnoNumber({ verb, returned, errno }: Pick<CallRecord, 'verb' | 'returned' | 'errno'>): void {
  const isErrno = typeof returned === 'number' && returned > 0 && errnoName.test(errno ?? '');
  const expected = { returned: 'an errno number', errno: 'its name' };
  check(isErrno, { subject: subjectOf(verb), expected, observed: { returned, errno } });
}

function subjectOf(verb: string): string {
  return `what ${verb}() returned`;
}
