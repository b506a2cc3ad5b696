import { descriptionOf, isVerbName } from '..';
import { dataText, isList, isStruct, membersText, type Data } from '../../contract/data';
import type { TraceStruct } from '../../contract/trace';
import type { Members, Type } from '../idl';
import { kinds, type Kind } from '../kinds';
import type { Description } from '../verb';
import { arrayName, bracedText, cName, cText, isZero, type DataMembers, type Scope } from './c-text';

/** A call record as it was stored. */
export interface StoredCall {
  readonly verb: string;
  readonly args: DataMembers;
  /** Absent if the call never returned. */
  readonly returned?: number | string | null;
  readonly errno?: string;
  readonly outputs: DataMembers;
}

/** A call in C: itself in a line, and what has a line of its own below. */
export interface CallText {
  readonly call: string;
  readonly below: readonly string[];
}

/**
 * A call in a notation like that of strace(1), as its description says: `ibv_poll_cq(recv_cq, 1, wc) = 1`, and below it
 * `wc[0] = { .wr_id = 0x7, .status = IBV_WC_SUCCESS, … }`. A call that nothing describes has its names as they are.
 */
export function callText(call: StoredCall, scope: Scope): CallText {
  const { verb, args, outputs } = call;
  if (!isVerbName(verb)) return { call: undescribed(call), below: [] };
  const description = descriptionOf(verb, args as TraceStruct);
  if (description.c.startsWith('struct ')) return { call: readStruct(description, call, scope), below: [] };
  const taken = description.in.flatMap((parameter) => Object.entries(parameter));
  const texts = inOrder(description, [
    ...taken.map(([name, type]) => [name, isArray(type) ? arrayName(name) : cText(type, args[name], scope)] as const),
    ...filledNames(description, outputs, scope),
  ]);
  const result = resultText(description, call, scope);
  return {
    call: `${description.c}(${texts.join(', ')})${result}${madeText(description, call, scope)}${remark(description, outputs, scope)}`,
    below: [
      ...taken.flatMap(([name, type]) => elementsText(name, type, args[name], scope)),
      ...filledText(description, outputs, scope),
    ],
  };
}

/** The texts of arguments as the C function has them. */
export function inOrder({ order }: Description, texts: readonly (readonly [string, string])[]): string[] {
  const sorted = order === undefined ? texts : order.flatMap((name) => texts.filter(([one]) => one === name));
  return sorted.map(([, text]) => text);
}

function undescribed({ verb, args, returned, errno, outputs }: StoredCall): string {
  const filled = Object.keys(outputs).length === 0 ? [] : [dataText(outputs)];
  const result = [...plainResult(returned, errno, (handle) => handle), ...filled].join(' ');
  const text = `${verb}(${membersText(args, '=')})`;
  if (returned === undefined) return `${text} never returned`;
  return result === '' ? text : `${text} = ${result}`;
}

/** What a program reads without a call: `*recv_cq = { .cqe = 7 }`. */
function readStruct(
  { in: parameters, out = {} }: Description,
  { args, returned, outputs }: StoredCall,
  scope: Scope,
): string {
  const [object] = parameters.flatMap((parameter) => Object.entries(parameter));
  const name = object === undefined ? '' : cText(object[1], args[object[0]], scope);
  return returned === undefined
    ? `*${name} never read`
    : `*${name} = ${bracedText(Object.entries(out), outputs, scope)}`;
}

const isArray = (type: Type): boolean => type.is === 'list' && type.item.is === 'struct';

/** Each struct of a list: `wr[0] = { … }`. */
function elementsText(name: string, type: Type, value: Data | undefined, scope: Scope): string[] {
  if (type.is !== 'list' || !isArray(type) || !isList(value)) return [];
  return value.map((item, index) => `${arrayName(name)}[${index}] = ${cText(type.item, item, scope)}`);
}

/** A struct that the caller has room for is an argument; a pointer is returned. */
const makesInRoom = ({ makes, fails }: Description): boolean => makes !== undefined && fails === 'zero-or-minus-one';

function filledNames(description: Description, outputs: DataMembers, { nameOf }: Scope): (readonly [string, string])[] {
  const { makes = '', fills = [] } = description;
  const made = outputs[makes];
  const room = typeof made === 'string' ? nameOf(made) : makes;
  return [
    ...(makesInRoom(description) ? [[makes, room] as const] : []),
    ...fills.map((name) => [name, cName(name)] as const),
  ];
}

const filledMembers = ({ out = {}, records = {} }: Description): Members => ({ ...out, ...records });

function filledText(description: Description, outputs: DataMembers, scope: Scope): string[] {
  const { fills = [] } = description;
  const members = filledMembers(description);
  const [struct] = fills.filter((name) => members[name] === undefined);
  if (struct !== undefined) {
    const text = bracedText(Object.entries(members), outputs, scope);
    return text === '{}' ? [] : [`${cName(struct)} = ${text}`];
  }
  const filled = fills.flatMap((name) => {
    const [type, value] = [members[name], outputs[name]];
    return type === undefined || value === undefined || value === null ? [] : [{ name, type, value }];
  });
  const simple = filled.filter(({ type }) => !isArray(type));
  const line = simple.map(({ name, type, value }) => `${cName(name)} = ${cText(type, value, scope)}`).join(', ');
  return [
    ...filled.flatMap(({ name, type, value }) => elementsText(name, type, value, scope)),
    ...(line === '' ? [] : [line]),
  ];
}

/** A function that cannot refuse returns what it gives. */
function isReturned({ fails, gives = '', fills = [] }: Description): boolean {
  return fails === 'never' && gives !== '' && !fills.includes(gives);
}

function resultText(description: Description, { returned, errno, outputs }: StoredCall, scope: Scope): string {
  if (returned === undefined) return ' never returned';
  const { gives = '', out = {}, returns } = description;
  const [type, value] = [out[gives], outputs[gives]];
  if (isReturned(description) && type !== undefined && value !== undefined) return ` = ${cText(type, value, scope)}`;
  const spell = returns === 'text' ? JSON.stringify : scope.nameOf;
  const result = plainResult(returned, errno, spell).join(' ');
  return result === '' ? '' : ` = ${result}`;
}

/** A function that has not refused and gave nothing is void. */
function plainResult(
  returned: StoredCall['returned'],
  errno: string | undefined,
  spell: (text: string) => string,
): string[] {
  const refusal = errno === undefined ? [] : [errno];
  if (returned === null || returned === undefined) return errno === undefined ? [] : ['NULL', ...refusal];
  return [typeof returned === 'string' ? spell(returned) : String(returned), ...refusal];
}

/** What the verb says of the object that it made. */
function madeText({ makes }: Description, { errno, returned, outputs }: StoredCall, scope: Scope): string {
  if (makes === undefined || errno !== undefined || returned === undefined) return '';
  const text = bracedText(Object.entries(kinds[makes as Kind].members), outputs, scope);
  return text === '{}' ? '' : ` ${text}`;
}

/** What the record has beyond the function's own arguments, if it says something. */
function remark(description: Description, outputs: DataMembers, scope: Scope): string {
  const { makes, fills = [], gives = '', out = {} } = description;
  const told = new Set<string>([
    ...fills,
    ...(fills.every((name) => filledMembers(description)[name] !== undefined) ? [] : Object.keys(out)),
    ...(isReturned(description) ? [gives] : []),
    ...(makes === undefined ? [] : [makes, ...Object.keys(kinds[makes as Kind].members)]),
  ]);
  const members = filledMembers(description);
  const texts = Object.entries(outputs).flatMap(([name, value]) => {
    if (told.has(name) || isZero(value) || (isStruct(value) && Object.keys(value).length === 0)) return [];
    const type = members[name];
    const text = type === undefined ? dataText(value) : cText(type, value, scope);
    return [value === true ? cName(name) : `${cName(name)} = ${text}`];
  });
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}
