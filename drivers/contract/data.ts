/** What JSON has: how calls and failed checks are recorded. 64-bit values are hexadecimal strings, `0x1f`. */
export type Data = null | boolean | number | string | readonly Data[] | { readonly [name: string]: Data | undefined };

/** A value of a scenario before it is recorded: 64-bit values are bigints, and what is absent is `undefined`. */
export type Value =
  null | undefined | boolean | number | bigint | string | readonly Value[] | { readonly [name: string]: Value };

/** A 64-bit value as it is recorded. */
export function hex64(value: bigint): string {
  return `0x${BigInt.asUintN(64, value).toString(16)}`;
}

/** A value as it is recorded: members without a value are left out. */
export function dataOf(value: Value): Data {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return hex64(value);
  if (isListOfValues(value)) return value.map(dataOf);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, dataOf(member)]));
}

/** Whether two records say the same; the order of members does not matter. */
export function isSameData(one: Data | undefined, other: Data | undefined): boolean {
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((item, index) => isSameData(item, other[index]));
  }
  if (!isStruct(one) || !isStruct(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSameData(one[name], other[name]));
}

/** Data in a line: `[{wr_id: 0x1, status: IBV_WC_SUCCESS}]`; NULL for null. */
export function dataText(data: Data | undefined): string {
  if (data === null || data === undefined) return 'NULL';
  if (isList(data)) return `[${data.map(dataText).join(', ')}]`;
  if (isStruct(data)) return `{${membersText(data, ': ')}}`;
  return data === '' ? '""' : String(data);
}

/** The members of a struct, those without a value left out. */
export function membersText(struct: Readonly<Record<string, Data | undefined>>, separator: string): string {
  return Object.entries(struct)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${name}${separator}${dataText(member)}`)
    .join(', ');
}

/** Data in which each string, names of members aside, is replaced. */
export function mapStrings(data: Data, replace: (text: string) => string): Data {
  if (typeof data === 'string') return replace(data);
  if (isList(data)) return data.map((item) => mapStrings(item, replace));
  if (!isStruct(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, member]) => [name, member === undefined ? member : mapStrings(member, replace)]),
  );
}

export function isList(data: Data | undefined): data is readonly Data[] {
  return Array.isArray(data);
}

export function isStruct(data: Data | undefined): data is { readonly [name: string]: Data | undefined } {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function isListOfValues(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Bytes as hexadecimal digits, two per byte. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
