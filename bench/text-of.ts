/** A value as text: what differs in it differs in the text. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof Set) return Array.from<unknown>(member);
    return typeof member === 'bigint' ? String(member) : member;
  });
