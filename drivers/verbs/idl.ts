/**
 * The types that descriptions of verbs are made of. Each says how a value of C appears to steps (see {@link ValueOf}) and
 * in a call record: objects as handles, bytes as hexadecimal digits, all else as it is.
 */
export type Type =
  | ObjectType<string>
  | NumberType
  | WordType
  | BooleanType
  | TextType
  | BytesType
  | EnumType<string>
  | FlagsType<string>
  | StructType<Members, Members>
  | ListType<Type>
  | NullableType<Type>
  | EitherType<ObjectType<string>, NumberType>
  | ConstantType<string>;

/** Members of a struct by name. */
export type Members = Readonly<Record<string, Type>>;

/** A verbs object, or one of several kinds of them. */
export interface ObjectType<Kind extends string> {
  readonly is: 'object';
  readonly kinds: readonly Kind[];
}
export const object = <Kind extends string>(...kinds: readonly Kind[]): ObjectType<Kind> => ({ is: 'object', kinds });

/** An integer that a number of JavaScript holds. `size` has as many bits as fit: 53. */
export interface NumberType {
  readonly is: 'number';
  readonly name: 'i32' | 'u8' | 'u16' | 'u32' | 'size';
  readonly min: number;
  readonly max: number;
  /** People write it in hexadecimal digits: a key, the number of a QP. */
  readonly isHex?: true;
  /** It is the place in a list of that name, where C has a pointer to the element. */
  readonly placeIn?: string;
}
const number = (name: NumberType['name'], min: number, max: number): NumberType => ({ is: 'number', name, min, max });
export const i32 = number('i32', -(2 ** 31), 2 ** 31 - 1);
export const u8 = number('u8', 0, 0xff);
export const u16 = number('u16', 0, 0xffff);
export const u32 = number('u32', 0, 0xffff_ffff);
/** 32 bits that people write in hexadecimal digits. */
export const hex32: NumberType = { ...u32, isHex: true };
/** The place of an element in a list among the arguments. */
export const placeIn = (list: string): NumberType => ({ ...i32, placeIn: list });
export const size = number('size', 0, Number.MAX_SAFE_INTEGER);

/** 64 bits: an address, a pointer of the user's, or a number that has all of them. */
export interface WordType {
  readonly is: 'word';
}
export const u64: WordType = { is: 'word' };

/** An int of C that is 0 or 1. */
export interface BooleanType {
  readonly is: 'boolean';
}
export const bool: BooleanType = { is: 'boolean' };

/** A string of C, or what has a text of its own, such as a GID. */
export interface TextType {
  readonly is: 'text';
  readonly name: 'text' | 'gid';
}
export const text: TextType = { is: 'text', name: 'text' };
/** A GID or GUID: hexadecimal digits in groups of four, `fe80:0000:…`. */
export const gid: TextType = { is: 'text', name: 'gid' };

/** A stretch of memory. */
export interface BytesType {
  readonly is: 'bytes';
}
export const bytes: BytesType = { is: 'bytes' };

/** A name that the header here does not have, or digits: of a device whose header is younger, or of a scenario that tries. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- else the names would be lost in string
export type Unnamed = string & Readonly<Record<never, never>>;

/** A member of an enumeration of C, by its name. */
export interface EnumType<Name extends string> {
  readonly is: 'enum';
  /** The enumeration as the header calls it. */
  readonly c: string;
  readonly names: readonly Name[];
}
export const enumeration = <const Name extends string>(c: string, names: readonly Name[]): EnumType<Name> => ({
  is: 'enum',
  c,
  names,
});

/** Bits by their names. */
export interface FlagsType<Name extends string> {
  readonly is: 'flags';
  readonly c: string;
  readonly names: readonly Name[];
}
export const flags = <const Name extends string>(c: string, names: readonly Name[]): FlagsType<Name> => ({
  is: 'flags',
  c,
  names,
});

/** The same enumeration or flags where there may be more than the names that the header has. */
export function open<Name extends string>(type: EnumType<Name>): EnumType<Name | Unnamed>;
export function open<Name extends string>(type: FlagsType<Name>): FlagsType<Name | Unnamed>;
export function open(type: EnumType<string> | FlagsType<string>): unknown {
  return type;
}

/** A struct. Members that may be left out are then 0, as in an initializer of C. */
export interface StructType<Required extends Members, Optional extends Members> {
  readonly is: 'struct';
  /** The struct as the header calls it; of one without a name, the members that lead to it. */
  readonly c: string;
  readonly members: Required;
  readonly optional: Optional;
  /** All members in the order of the header, where optional ones are not the last. */
  readonly order?: readonly string[];
}
/** No members. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- it is what is meant
export type None = Readonly<Record<never, Type>>;

export function struct<Required extends Members>(c: string, members: Required): StructType<Required, None>;
export function struct<Required extends Members, Optional extends Members>(
  c: string,
  members: Required,
  optional: Optional,
  order?: readonly (keyof (Required & Optional) & string)[],
): StructType<Required, Optional>;
export function struct(
  c: string,
  members: Members,
  optional: Members = {},
  order?: readonly string[],
): StructType<Members, Members> {
  return { is: 'struct', c, members, optional, ...(order && { order }) };
}

export interface ListType<Item extends Type> {
  readonly is: 'list';
  readonly item: Item;
}
export const list = <Item extends Type>(item: Item): ListType<Item> => ({ is: 'list', item });

/** A pointer that may be NULL, or what else may be absent. */
export interface NullableType<Of extends Type> {
  readonly is: 'nullable';
  readonly of: Of;
}
export const nullable = <Of extends Type>(of: Of): NullableType<Of> => ({ is: 'nullable', of });

/** An object or a number, which of them depends on something else: the element of an event. */
export interface EitherType<One extends ObjectType<string>, Other extends NumberType> {
  readonly is: 'either';
  readonly object: One;
  readonly number: Other;
}
export const either = <One extends ObjectType<string>, Other extends NumberType>(
  one: One,
  other: Other,
): EitherType<One, Other> => ({ is: 'either', object: one, number: other });

/** An argument that is always the same, and that no caller passes: the command of fcntl(2). */
export interface ConstantType<Text extends string> {
  readonly is: 'constant';
  readonly text: Text;
}
export const constant = <const Text extends string>(value: Text): ConstantType<Text> => ({
  is: 'constant',
  text: value,
});

/** A type with all that it is made of, at any depth. */
export function allWithin(type: Type): readonly Type[] {
  return [type, ...partsOf(type).flatMap(allWithin)];
}

function partsOf(type: Type): readonly Type[] {
  if (type.is === 'struct') return [...Object.values(type.members), ...Object.values(type.optional)];
  if (type.is === 'list') return [type.item];
  if (type.is === 'nullable') return [type.of];
  return type.is === 'either' ? [type.object, type.number] : [];
}

/** What a type is to those for whom an object of each kind is one of `Objects`. */
export type ValueOf<T, Objects> =
  T extends ObjectType<infer Kind>
    ? Objects[Kind & keyof Objects]
    : T extends NumberType
      ? number
      : T extends WordType
        ? bigint
        : T extends BooleanType
          ? boolean
          : T extends TextType
            ? string
            : T extends BytesType
              ? Uint8Array
              : T extends EnumType<infer Name>
                ? Name
                : T extends FlagsType<infer Name>
                  ? readonly Name[]
                  : T extends StructType<infer Required, infer Optional>
                    ? ValuesOf<Required, Objects> & Partial<ValuesOf<Optional, Objects>>
                    : T extends ListType<infer Item>
                      ? readonly ValueOf<Item, Objects>[]
                      : T extends NullableType<infer Of>
                        ? ValueOf<Of, Objects> | null
                        : T extends EitherType<infer One, infer Other>
                          ? ValueOf<One, Objects> | ValueOf<Other, Objects>
                          : T extends ConstantType<infer Text>
                            ? Text
                            : never;

/** The values of named members. */
export type ValuesOf<M, Objects> = { readonly [Name in keyof M]: ValueOf<M[Name], Objects> };
