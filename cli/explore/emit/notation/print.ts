import {
  isCall,
  isParallel,
  isPort,
  isReference,
  type Op,
  type ProgramStruct,
  type ProgramValue,
  type Reference,
} from '../../../../drivers/programs/program';
import { printableJson } from '../../../../catalog/plain-text';
import { constantPattern, wordPattern, words } from './words';

/**
 * Operations in a notation like that of C, a line each:
 *
 *     cq1 = ibv_create_cq(.context = ctx, .cqe = 4, .cqContext = 0x1, .channel = NULL, .compVector = 0)
 *
 * Objects are names, `mr1.addr + 64` is a number that the device gave. What threads do stands in `parallel { thread { … } }`.
 */
export function opLines(ops: readonly Op[], indent = ''): string[] {
  return ops.flatMap((op) => linesOf(op, indent));
}

function linesOf(op: Op, indent: string): string[] {
  if (isCall(op)) {
    const made = op.as === undefined ? '' : `${op.as} = `;
    return [`${indent}${made}${op.call}(${membersText(op.args)})`];
  }
  if (isPort(op)) return [`${indent}${words[op.port]}`];
  if (!isParallel(op)) return [`${indent}${words.settle}`];
  const threads = op.par.flatMap((thread) => [
    `${indent}  ${words.thread}`,
    ...opLines(thread, `${indent}    `),
    `${indent}  ${words.end}`,
  ]);
  return [`${indent}${words.parallel}`, ...threads, `${indent}${words.end}`];
}

function membersText(struct: ProgramStruct): string {
  return Object.entries(struct)
    .map(([name, value]) => `.${name} = ${valueText(value)}`)
    .join(', ');
}

/** A value of an argument, or what is expected of one. */
export function valueText(value: ProgramValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return isBare(value) ? value : printableJson(value);
  if (isReference(value) && !isKeyword(value.of)) return referenceText(value);
  if (Array.isArray(value)) return `[${(value as readonly ProgramValue[]).map(valueText).join(', ')}]`;
  const members = membersText(value as ProgramStruct);
  return members === '' ? '{}' : `{ ${members} }`;
}

const isBare = (text: string): boolean => wordPattern.test(text) || (constantPattern.test(text) && text !== 'NULL');

/** A name that means something else here. */
const isKeyword = (name: string): boolean => name === 'true' || name === 'false';

function referenceText({ of, member, plus }: Reference): string {
  const offset = plus === undefined ? '' : ` ${plus < 0 ? '-' : '+'} ${Math.abs(plus)}`;
  return `${of}${member === undefined ? '' : `.${member}`}${offset}`;
}
