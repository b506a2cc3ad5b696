import type { Check } from '../checks';
import type { Answer, Op } from '../program';
import { checkText, cPath } from './checked';
import { cString, type Identifiers } from './names';
import { ValueTexts } from './values';

/** What an operation is compared with. */
export interface Judged {
  readonly op: Op;
  readonly index: number;
  /** What the reference answers. */
  readonly expected: Answer | undefined;
  readonly checks: readonly Check[];
}

/** The lines of the statements of a program, and what they take of its beginning. */
export class ProgramWriter {
  readonly lines: string[] = [];
  readonly uses = new Set<string>();
  readonly values: ValueTexts;
  readonly #extended: ReadonlySet<string>;

  constructor(
    readonly ops: readonly Op[],
    readonly names: Identifiers,
  ) {
    this.#extended = new Set(
      ops.flatMap(({ call, made }) => (call.verb === 'ibv_create_cq_ex' && made !== undefined ? [made] : [])),
    );
    this.values = new ValueTexts(names, (handle) => this.#extended.has(handle));
  }

  isExtended(handle: string): boolean {
    return this.#extended.has(handle);
  }

  /** Bytes of memory. */
  lengthOf(memory: string): number {
    return Math.max(1, Number(this.ops.find(({ made }) => made === memory)?.args.length ?? 1));
  }

  use(...helpers: readonly string[]): void {
    for (const helper of helpers) this.uses.add(helper);
  }

  line(...lines: readonly string[]): void {
    this.lines.push(...lines);
  }

  /** Has what is written stand in a block of its own. */
  block(write: () => void): void {
    const start = this.lines.length;
    write();
    const inner = this.lines.splice(start).map((line) => (line === '' ? '' : `\t${line}`));
    this.line('{', ...inner, '}');
  }

  /** An object among the arguments. */
  object({ args }: Op, name: string, asExtended = false): string {
    const handle = args[name];
    return typeof handle === 'string' ? this.values.object(handle, asExtended) : 'NULL';
  }

  /** The name of a call for messages: with the object that it is about. */
  callName(op: Op): string {
    const [first] = Object.values(op.args);
    const object = typeof first === 'string' && /^\w+#\d+$/.test(first) ? this.names.of(first) : '';
    return op.call.verb.startsWith('struct') ? op.call.verb : `${op.call.verb}(${object})`;
  }

  /** The checks of an operation but those of its result, each of what `see` finds at its place. */
  compare({ op, checks }: Judged, see: (path: string) => string | undefined): void {
    for (const check of checks) {
      const seen = see(check.path);
      if (seen === undefined || ['pending', 'returned'].includes(check.path)) continue;
      this.check(check, seen, `${cPath(check.path)} of ${this.callName(op)}`);
    }
  }

  check(check: Check, seen: string, what: string): void {
    const { holds, expected, observed, uses } = checkText(check, seen, this.values);
    this.use('check', ...uses);
    this.line(`check(${holds}, ${cString(what)},`, `      ${expected}, ${observed});`);
  }

  /**
   * Makes a call that gives an error number.
   *
   * @param expression - 0 after success
   * @param plain - the call itself, whose value may be what is wrong
   */
  call(judged: Judged, expression: string, plain = expression): void {
    const { op, checks } = judged;
    const returned = checks.find(({ path }) => path === 'returned');
    if (returned !== undefined) {
      this.block(() => {
        this.line(`int returned = ${plain};`, '');
        this.check(returned, 'returned', `what ${this.callName(op)} returned`);
      });
      return;
    }
    const result = checks.find(({ path }) => path === 'result');
    if (result !== undefined) {
      this.block(() => {
        this.line(`int err = ${expression};`, '');
        this.check(result, 'err', this.callName(op));
      });
      return;
    }
    if (op.answer.errno !== undefined) {
      this.line(`(void)(${expression}); /* ${op.answer.errno} in the run */`);
      return;
    }
    if (op.isShrink) {
      this.line(`(void)(${expression}); /* a device may refuse it */`);
      return;
    }
    this.use('must');
    this.line(`must(${cString(this.callName(op))}, ${expression});`);
  }
}
