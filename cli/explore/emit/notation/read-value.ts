import { UsageError } from '../../../../drivers/contract';
import type { ProgramStruct, ProgramValue } from '../../../../drivers/programs/program';

/** Levels of structs and lists within each other. */
const depthMax = 16;

const tokens =
  /\s*(?:(0x[0-9a-f]+)|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|("(?:[^"\\]|\\.)*")|([A-Z][A-Z0-9_]*)|([a-z]\w*)|(\.[A-Za-z]\w*)|([-+[\]{},=]))/y;

type Kind = 'word' | 'number' | 'text' | 'constant' | 'name' | 'member' | 'sign';
const kindsOfGroups: readonly Kind[] = ['word', 'number', 'text', 'constant', 'name', 'member', 'sign'];

interface Token {
  readonly kind: Kind;
  readonly text: string;
}

/** The members between the parentheses of a call. @throws UsageError */
export function readMembers(text: string): ProgramStruct {
  const reader = new Reader(text);
  const struct = reader.members(0);
  reader.end();
  return struct;
}

/** A value alone. @throws UsageError */
export function readValue(text: string): ProgramValue {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(readonly text: string) {
    this.#tokens = tokensOf(text);
  }

  end(): void {
    if (this.#next < this.#tokens.length) this.#refuse();
  }

  members(depth: number): ProgramStruct {
    const struct: Record<string, ProgramValue> = {};
    while (this.#peek('member')) {
      const name = this.#take('member').slice(1);
      this.#take('sign', '=');
      struct[name] = this.value(depth);
      if (!this.#skip(',')) break;
    }
    return struct;
  }

  value(depth: number): ProgramValue {
    if (depth > depthMax) this.#refuse();
    if (this.#skip('[')) return this.#list(depth + 1);
    if (this.#skip('{')) {
      const struct = this.members(depth + 1);
      this.#take('sign', '}');
      return struct;
    }
    const { kind, text } = this.#tokens[this.#next++] ?? this.#refuse();
    if (kind === 'number') return Number(text);
    if (kind === 'word') return text;
    if (kind === 'constant') return text === 'NULL' ? null : text;
    if (kind === 'text') return unquoted(text) ?? this.#refuse();
    if (kind !== 'name') return this.#refuse();
    return text === 'true' || text === 'false' ? text === 'true' : this.#reference(text);
  }

  #list(depth: number): ProgramValue[] {
    const items: ProgramValue[] = [];
    if (this.#skip(']')) return items;
    do items.push(this.value(depth));
    while (this.#skip(','));
    this.#take('sign', ']');
    return items;
  }

  #reference(of: string): ProgramValue {
    const member = this.#peek('member') ? this.#take('member').slice(1) : undefined;
    const sign = this.#skip('+') ? 1 : this.#skip('-') ? -1 : undefined;
    const plus = sign === undefined ? undefined : sign * Number(this.#take('number'));
    return { of, ...(member !== undefined && { member }), ...(plus !== undefined && { plus }) };
  }

  #peek(kind: Kind, text?: string): boolean {
    const token = this.#tokens[this.#next];
    return token?.kind === kind && (text === undefined || token.text === text);
  }

  #skip(sign: string): boolean {
    const isThere = this.#peek('sign', sign);
    if (isThere) this.#next += 1;
    return isThere;
  }

  #take(kind: Kind, text?: string): string {
    const token = this.#tokens[this.#next];
    if (token === undefined || !this.#peek(kind, text)) return this.#refuse();
    this.#next += 1;
    return token.text;
  }

  #refuse(): never {
    throw new UsageError(`"${this.text.slice(0, 80)}" cannot be read from its ${this.#next + 1}. word on`);
  }
}

function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  const trimmed = text.trimEnd();
  tokens.lastIndex = 0;
  while (tokens.lastIndex < trimmed.length) {
    const groups: readonly (string | undefined)[] = tokens.exec(trimmed)?.slice(1) ?? [];
    const index = groups.findIndex((group) => group !== undefined);
    const [kind, token] = [kindsOfGroups[index], groups[index]];
    if (kind === undefined || token === undefined)
      throw new UsageError(`"${text.slice(0, 80)}" is not a list of arguments`);
    found.push({ kind, text: token });
  }
  return found;
}

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
