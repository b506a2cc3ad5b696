import type { Check } from '../checks';
import { wordOf, isRef } from '../program';
import { unwrittenWord } from '../../../drivers/verbs/cq';
import { cName } from '../../../drivers/verbs/derived/c-text';
import type { Type } from '../../../drivers/verbs/idl';
import { cString } from './names';
import { enumText, type ValueTexts } from './values';

/** A comparison in C: whether it holds, and what is printed where it does not. */
export interface CheckText {
  readonly holds: string;
  readonly expected: string;
  readonly observed: string;
  readonly uses: readonly string[];
}

/**
 * Compares what a program observes with what is expected.
 *
 * @param seen - the observed value as an expression
 */
export function checkText(check: Check, seen: string, values: ValueTexts): CheckText {
  const { type, expected, observed, flag = '', bound } = check;
  if (type === 'errno') return errnoCheck(seen, wordOf(expected), wordOf(observed));
  if (type === 'set') {
    const [set, clear] = [cString(flag), cString(`no ${flag}`)];
    const isSet = `(${seen} & ${flag})`;
    const texts = { expected: expected === true ? set : clear, observed: `${isSet} ? ${set} : ${clear}` };
    return { holds: expected === true ? `${isSet} != 0` : `${isSet} == 0`, ...texts, uses: [] };
  }
  if (type === 'distinct')
    return { holds: seen, expected: cString(wordOf(expected)), observed: cString(wordOf(observed)), uses: [] };
  if (type === 'written') return writtenCheck(seen);
  if (type === 'count' || type === 'pending') return numberCheck(seen, wordOf(expected), '%lld', bound);
  return valueCheck(type, check, seen, values);
}

/** Of a member that was filled with bytes of no provider. */
function writtenCheck(seen: string): CheckText {
  const word = `0x${unwrittenWord.toString(16)}`;
  return { holds: `${seen} != ${word}`, expected: '"written"', observed: '"unwritten"', uses: [] };
}

function valueCheck(type: Type, check: Check, seen: string, values: ValueTexts): CheckText {
  const { expected, observed, path, bound } = check;
  const name = path.replace(/^.*\./, '');
  if (type.is === 'nullable') return valueCheck(type.of, check, seen, values);
  if (type.is === 'enum') return enumCheck(type.c, seen, wordOf(expected), wordOf(observed));
  if (type.is === 'bytes') return bytesCheck(seen, wordOf(expected));
  if (type.is === 'text') {
    const text = cString(wordOf(expected));
    return { holds: `!strcmp(${seen}, ${text})`, expected: text, observed: seen, uses: [] };
  }
  const isObject = type.is === 'object' || (type.is === 'either' && typeof expected === 'string');
  if (isObject || expected === null) return objectCheck(seen, expected as string | null, values);
  if (type.is === 'word' && !isRef(expected))
    return numberCheck(integer(name, seen), `${wordOf(expected)}ULL`, '0x%llx');
  const isHex = isRef(expected) || (type.is === 'number' && type.isHex === true);
  const text = values.text(type, name === 'immData' ? '' : name, expected);
  return numberCheck(seen, text, isHex ? '0x%llx' : '%lld', bound);
}

/** A pointer of the user's as the number that he has made it of. */
const integer = (name: string, seen: string): string => (name === 'cqContext' ? `(uintptr_t)${seen}` : seen);

const operators = { atLeast: '>=', atMost: '<=' } as const;

function numberCheck(seen: string, expected: string, format: string, bound?: Check['bound']): CheckText {
  const number = (text: string): string => `text(${cString(format)}, (unsigned long long)(${text}))`;
  return {
    holds: `(${seen}) ${bound === undefined ? '==' : operators[bound]} ${expected}`,
    expected: number(expected),
    observed: number(seen),
    uses: ['text'],
  };
}

function errnoCheck(seen: string, expected: string, observed: string): CheckText {
  const names = [expected, observed].filter((name) => /^E[A-Z0-9]+$/.test(name));
  const table = [...names.map((name) => `{ ${name}, ${cString(name)} }`), '{ 0, NULL }'].join(', ');
  return {
    holds: errnoHolds(seen, expected),
    expected: cString(expected),
    observed: `error_name((struct name[]){ ${table} }, ${seen})`,
    uses: ['error_name'],
  };
}

/** Any refusal will do where the scenario names no error. */
function errnoHolds(seen: string, expected: string): string {
  const positive = `(${seen} < 0 ? -${seen} : ${seen})`;
  if (expected === 'success') return `${positive} == 0`;
  if (/^E[A-Z0-9]+$/.test(expected)) return `${positive} == ${expected}`;
  return Number(expected) > 0 ? `${positive} == ${Number(expected)}` : `${positive} != 0`;
}

function enumCheck(c: string, seen: string, expected: string, observed: string): CheckText {
  const names = [...new Set([expected, observed])].filter((name) => name.startsWith('IBV_'));
  const table = [...names.map((name) => `{ ${name}, ${cString(name)} }`), '{ 0, NULL }'].join(', ');
  return {
    holds: `${seen} == ${enumText(c, expected)}`,
    expected: cString(expected),
    observed: `name_of((struct name[]){ ${table} }, ${seen})`,
    uses: ['name_of'],
  };
}

function objectCheck(seen: string, expected: string | null, values: ValueTexts): CheckText {
  const object = expected === null ? 'NULL' : values.object(expected);
  const name = expected === null ? 'NULL' : values.names.of(expected);
  return {
    holds: `(const void *)${seen} == (const void *)${object}`,
    expected: cString(name),
    observed: `${seen} ? "another one" : "NULL"`,
    uses: [],
  };
}

function bytesCheck(seen: string, digits: string): CheckText {
  const bytes = digits.match(/../g) ?? [];
  const literal = `(const unsigned char[]){ ${bytes.map((byte) => `0x${byte}`).join(', ') || '0'} }`;
  return {
    holds: `!memcmp(${seen}, ${literal}, ${bytes.length})`,
    expected: cString(digits.slice(0, 64)),
    observed: '"other bytes"',
    uses: [],
  };
}

/** Where a fact stands, as C has it: `wc[0].wrId` is `wc[0].wr_id`. */
export const cPath = (path: string): string => path.split('.').map(cName).join('.');
