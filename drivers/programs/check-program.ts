import { nearest, UsageError } from '../contract';
import { descriptions, descriptionOf, isVerbName } from '../verbs';
import type { Members, Type } from '../verbs/idl';
import { kinds, type Kind } from '../verbs/kinds';
import type { Description } from '../verbs/verb';
import { dutMembers, dutName, wordPattern } from './bindings';
import { isReference, programLimits, programVersion, type Program } from './program';

const remedy = 'see drivers/programs/program.schema.json';

function refuse(message: string, advice = remedy): never {
  throw new UsageError(message, advice);
}

/**
 * Reads a program.
 *
 * @throws UsageError in one line if it is none, of another version, too large, cyclic, or calls what there is not
 */
export function programOf(text: string): Program {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > programLimits.bytes) {
    refuse(`the program has ${bytes} bytes`, `it may have ${programLimits.bytes}`);
  }
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return refuse('the program is not JSON');
  }
  return checkedProgram(data);
}

/** A program that was read or generated. @throws UsageError as {@link programOf} */
export function checkedProgram(data: unknown): Program {
  if (!isRecord(data)) return refuse('the program is not a struct with "version", "seed" and "ops"');
  const { version, seed, ops } = data;
  if (version !== programVersion) {
    refuse(`the program has version ${shown(version)}`, `this verbspec reads version ${programVersion}`);
  }
  if (typeof seed !== 'string') refuse('"seed" of the program is not a string');
  onlyMembers('the program', data, ['version', 'seed', 'ops', 'note']);
  const checker = new Checker();
  checker.sequence(ops, 'ops', 0);
  return data as unknown as Program;
}

/** What the calls before have made, by name: the members that references may have. */
type Made = Map<string, ReadonlySet<string>>;

class Checker {
  readonly #made: Made = new Map([[dutName, new Set(dutMembers)]]);
  #ops = 0;

  sequence(ops: unknown, place: string, depth: number): void {
    if (!Array.isArray(ops)) return refuse(`"${place}" of the program is not a list`);
    for (const [index, op] of (ops as readonly unknown[]).entries()) {
      this.#ops += 1;
      if (this.#ops > programLimits.ops) {
        refuse('the program has too many operations', `it may have ${programLimits.ops}`);
      }
      this.#op(op, `${place}[${index}]`, depth);
    }
  }

  #op(op: unknown, place: string, depth: number): void {
    if (!isRecord(op)) return refuse(`${place} is not an operation`);
    if ('call' in op) this.#call(op, place);
    else if ('par' in op) this.#parallel(op, place, depth);
    else if ('port' in op) this.#port(op, place, depth);
    else if (op.settle !== true) {
      refuse(
        `${place} is no operation that verbspec knows: ${shown(Object.keys(op)[0])}`,
        'they are call, settle, port and par',
      );
    }
  }

  #port(op: Readonly<Record<string, unknown>>, place: string, depth: number): void {
    const { port } = op;
    onlyMembers(place, op, ['port']);
    if (depth > 0) refuse(`${place} moves the link of the port in a thread`, 'it is moved beside no call');
    if (port !== 'down' && port !== 'up') refuse(`${place}.port is ${shown(port)}`, 'a link goes down or up');
  }

  #parallel(op: Readonly<Record<string, unknown>>, place: string, depth: number): void {
    const { par } = op;
    onlyMembers(place, op, ['par']);
    if (depth > 0) refuse(`${place} has threads within a thread`);
    if (!Array.isArray(par) || par.length === 0 || par.length > programLimits.threads) {
      return refuse(`${place}.par is not a list of threads`, `there may be ${programLimits.threads}`);
    }
    for (const [index, thread] of par.entries()) this.sequence(thread, `${place}.par[${index}]`, depth + 1);
  }

  #call(op: Readonly<Record<string, unknown>>, place: string): void {
    const { call, args, as } = op;
    onlyMembers(place, op, ['call', 'args', 'as']);
    if (typeof call !== 'string' || !isVerbName(call)) return refuseVerb(call, place);
    if (!isRecord(args)) return refuse(`${place}.args is not a struct`);
    const description = descriptionOf(call, args as never);
    this.#arguments(description, args, `${place}.args`);
    if (as !== undefined) this.#name(as, description, place);
  }

  #name(as: unknown, description: Description, place: string): void {
    if (typeof as !== 'string' || !/^[a-z][a-z0-9_]*$/.test(as) || as.length > programLimits.nameLength) {
      return refuse(`${place}.as is ${shown(as)}`, 'a name has small letters, digits and _');
    }
    if (as === dutName) refuse(`${place}.as is "${dutName}", which is the device itself`, 'take another name');
    const { out = {}, records = {}, makes } = description;
    const members = makes === undefined ? {} : kinds[makes as Kind].members;
    this.#made.set(as, new Set(Object.keys({ ...members, ...out, ...records })));
  }

  #arguments(description: Description, args: Readonly<Record<string, unknown>>, place: string): void {
    const types: Members = Object.assign({}, ...description.in) as Members;
    onlyMembers(place, args, Object.keys(types));
    for (const [name, type] of Object.entries(types)) this.#value(type, args[name], `${place}.${name}`);
  }

  #value(type: Type, value: unknown, place: string): void {
    if (isRecord(value) && isReference(value as never)) {
      this.#reference(value, place);
      return;
    }
    const expected = this.#mismatch(type, value, place);
    if (expected !== undefined) refuse(`${place} is ${shown(value)} instead of ${expected}`);
  }

  /** @returns what was expected in place of the value, if it is wrong itself */
  #mismatch(type: Type, value: unknown, place: string): string | undefined {
    switch (type.is) {
      case 'object':
        return 'a reference to an object';
      case 'number':
        return isWithin(value, type.min, type.max) ? undefined : `a number from ${type.min} to ${type.max}`;
      case 'word':
        return typeof value === 'string' && wordPattern.test(value) ? undefined : 'a 64-bit value such as "0x1f"';
      case 'boolean':
        return typeof value === 'boolean' ? undefined : 'true or false';
      case 'bytes':
        return typeof value === 'string' && /^([0-9a-f]{2})*$/.test(value) ? undefined : 'hexadecimal digits';
      case 'text':
      case 'enum':
        return typeof value === 'string' ? undefined : 'a string';
      case 'constant':
        return value === type.text ? undefined : `"${type.text}"`;
      case 'flags':
        return Array.isArray(value) && value.every((flag) => typeof flag === 'string') ? undefined : 'a list of flags';
      case 'list':
        return this.#list(type.item, value, place);
      case 'nullable':
        if (value !== null) this.#value(type.of, value, place);
        return undefined;
      case 'either':
        return isWithin(value, type.number.min, type.number.max) ? undefined : 'a reference or a number';
      case 'struct':
        return this.#struct(type.members, type.optional, value, place);
    }
  }

  #list(item: Type, value: unknown, place: string): string | undefined {
    if (!Array.isArray(value)) return 'a list';
    for (const [index, one] of value.entries()) this.#value(item, one, `${place}[${index}]`);
    return undefined;
  }

  #struct(members: Members, optional: Members, value: unknown, place: string): string | undefined {
    if (!isRecord(value)) return 'a struct';
    onlyMembers(place, value, [...Object.keys(members), ...Object.keys(optional)]);
    for (const [name, type] of Object.entries(members)) this.#value(type, value[name], `${place}.${name}`);
    for (const [name, type] of Object.entries(optional)) {
      if (value[name] !== undefined) this.#value(type, value[name], `${place}.${name}`);
    }
    return undefined;
  }

  #reference(value: Readonly<Record<string, unknown>>, place: string): void {
    onlyMembers(place, value, ['of', 'member', 'plus']);
    const { of, member, plus } = value;
    const members = typeof of === 'string' ? this.#made.get(of) : undefined;
    if (members === undefined) {
      return refuse(
        `${place} refers to ${shown(of)}, which no operation before it makes`,
        'a program may not be cyclic',
      );
    }
    if (member !== undefined && (typeof member !== 'string' || !members.has(member))) {
      refuse(
        `${place} refers to ${shown(member)} of ${shown(of)}`,
        `it has ${[...members].join(', ') || 'no members'}`,
      );
    }
    if (plus !== undefined && !Number.isSafeInteger(plus)) refuse(`${place}.plus is no whole number`);
  }
}

const callable = descriptions.filter(({ internal }) => internal !== true).map(({ c }) => c);

function refuseVerb(call: unknown, place: string): never {
  const near = typeof call === 'string' ? nearest(call, callable) : undefined;
  return refuse(
    `${place} calls ${shown(call)}, which is not described`,
    near === undefined ? remedy : `did you mean ${near}?`,
  );
}

function onlyMembers(place: string, value: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined) refuse(`${place} has ${shown(other)}`, `it may have ${known.join(', ')}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

/** A value for a message: bounded, and without control characters. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a struct';
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60);
}
