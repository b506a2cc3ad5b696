import { descriptions } from '..';
import { allWithin, type Members, type NumberType, type Type } from '../idl';
import { kinds, type Kind } from '../kinds';
import type { Description } from '../verb';

/** A type in words; structs and lists as JSON has them. */
export type TypeText = string | { readonly [name: string]: TypeText } | readonly TypeText[];

/** What an implementation of the verbs in another language says of one: its arguments in order, and what it fills in. */
export interface VerbText {
  readonly in: readonly Readonly<Record<string, TypeText>>[];
  readonly out: Readonly<Record<string, TypeText>>;
}

/** A type in words. */
export function typeText(type: Type): TypeText {
  switch (type.is) {
    case 'object':
      return `object ${type.kinds.join('|')}`;
    case 'number':
    case 'text':
      return type.name;
    case 'word':
      return 'u64';
    case 'boolean':
      return 'bool';
    case 'bytes':
      return 'bytes';
    case 'enum':
    case 'flags':
      return `${type.is} ${type.c}`;
    case 'constant':
      return `constant ${type.text}`;
    case 'list':
      return [typeText(type.item)];
    case 'nullable':
      return `${wordsOf(type.of)} or null`;
    case 'either':
      return `${wordsOf(type.object)} or ${numberText(type.number)}`;
    case 'struct':
      return { ...membersText(type.members), ...membersText(type.optional, '?') };
  }
}

const numberText = ({ name }: NumberType): string => name;

function wordsOf(type: Type): string {
  const text = typeText(type);
  if (typeof text === 'string') return text;
  throw new Error('structs and lists have no words');
}

function membersText(members: Members, mark = ''): Record<string, TypeText> {
  return Object.fromEntries(Object.entries(members).map(([name, type]) => [`${name}${mark}`, typeText(type)]));
}

/** The C functions in words, as native/src describes those of the addon. */
export function verbTexts(): ReadonlyMap<string, VerbText> {
  const texts = new Map<string, VerbText>();
  for (const description of descriptions) {
    const { c } = description;
    const text = { in: description.in.map((argument) => membersText(argument)), out: outText(description) };
    const other = texts.get(c);
    texts.set(c, other === undefined ? text : merged(other, text));
  }
  return texts;
}

function outText({ out = {}, records = {}, makes, fails }: Description): VerbText['out'] {
  const made = makes === undefined ? {} : kinds[makes as Kind].members;
  // A struct that the caller has room for has its handle among what is filled in, a pointer is returned.
  const handle = makes !== undefined && fails === 'zero-or-minus-one' ? { [makes]: `object ${makes}` } : {};
  return { ...handle, ...membersText(made), ...membersText(out), ...membersText(records) };
}

/** Of one C function that two descriptions share, apart by a constant: what either takes and fills in. */
function merged(one: VerbText, other: VerbText): VerbText {
  const longer = one.in.length >= other.in.length ? one.in : other.in;
  const shorter = longer === one.in ? other.in : one.in;
  return {
    in: longer.map((argument, index) => ({ ...argument, ...alternatives(argument, shorter[index]) })),
    out: { ...one.out, ...other.out },
  };
}

function alternatives(
  argument: Readonly<Record<string, TypeText>>,
  other: Readonly<Record<string, TypeText>> = {},
): Record<string, TypeText> {
  const pairs = Object.entries(argument).flatMap(([name, text]) => {
    const second = other[name];
    if (typeof text !== 'string' || typeof second !== 'string' || text === second) return [];
    const texts = [text, second].map((constant) => constant.replace(/^constant /, ''));
    return [[name, `constant ${texts.sort().join('|')}`] as const];
  });
  return Object.fromEntries(pairs);
}

/** The names of all enumerations and flags, by what the header calls them. */
export function enumerationsOf(): ReadonlyMap<string, readonly string[]> {
  const types = descriptions.flatMap(({ in: parameters, out = {}, makes }) => {
    const made: Members = makes === undefined ? {} : kinds[makes as Kind].members;
    return [...parameters, out, made].flatMap((members) => Object.values(members)).flatMap(allWithin);
  });
  return new Map(types.flatMap((type) => (type.is === 'enum' || type.is === 'flags' ? [[type.c, type.names]] : [])));
}
