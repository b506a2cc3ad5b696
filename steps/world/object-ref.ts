import { HarnessError } from '../../drivers/contract';

/** The kinds of objects that a scenario can name where a step takes any of them. */
export type ObjectKind = 'CQ' | 'QP' | 'SRQ' | 'completion channel';

/** An object as a feature names it: `CQ "recv_cq"`. */
export interface ObjectRef {
  readonly kind: ObjectKind;
  readonly name: string;
}

export const objectPattern = /(?:CQ|QP|SRQ|completion channel) "[^"]*"/;

/** Reads the name of an object. */
export function objectRefOf(text: string): ObjectRef {
  const [, kind, name] = /^(CQ|QP|SRQ|completion channel) "([^"]*)"$/.exec(text) ?? [];
  if (kind === undefined || name === undefined) throw new HarnessError(`"${text}" names no object`);
  return { kind: kind as ObjectKind, name };
}
