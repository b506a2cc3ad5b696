import { HarnessError, kinds, type Kind } from '../../drivers/contract';

/** The kinds of objects that a scenario can name where a step takes any of them. */
const nameable = ['cq', 'qp', 'srq', 'channel'] as const satisfies readonly Kind[];
export type ObjectKind = (typeof nameable)[number];

/** An object as a feature names it: `CQ "recv_cq"`. */
export interface ObjectRef {
  readonly kind: ObjectKind;
  readonly name: string;
}

const anyKind = nameable.map((kind) => kinds[kind].words).join('|');

export const objectPattern = new RegExp(`(?:${anyKind}) "[^"]*"`);

/** Reads the name of an object. */
export function objectRefOf(text: string): ObjectRef {
  const [, words, name] = new RegExp(`^(${anyKind}) "([^"]*)"$`).exec(text) ?? [];
  const kind = nameable.find((candidate) => kinds[candidate].words === words);
  if (kind === undefined || name === undefined) throw new HarnessError(`"${text}" is not an object`);
  return { kind, name };
}
