import type { ConstantType, Members, Type, ValueOf, ValuesOf } from './idl';
import type { Kind, kinds } from './kinds';

/**
 * How a C function says that it refused: the four ways of libibverbs, and the functions that cannot refuse.
 * Where -1 is a refusal and 0 the only success, anything else is taken for a refusal that is reported in a wrong way.
 */
export type FailureConvention = 'null' | 'minus-one' | 'zero-or-minus-one' | 'errno' | 'negative' | 'never';

/** An argument: its name and type. */
export type Argument = Readonly<Record<string, Type>>;

/** What there is to know of a verb, once and for all. */
export interface Description {
  /** The C function as call records name it; the type of a struct whose members a program reads without a call. */
  readonly c: string;
  /** The man page that describes it; nothing for what a program does by itself. */
  readonly page?: string;
  readonly fails: FailureConvention;
  /** The arguments in the order of the C function; what it fills in is none of them. */
  readonly in: readonly Argument[];
  /** What it fills in. */
  readonly out?: Members;
  /** The kind of object that it makes: of the first object among its arguments, and out of the others. */
  readonly makes?: string;
  /** The kind of object that it ends: its first argument. */
  readonly ends?: string;
  /** What it may wait for. */
  readonly blocks?: string;
  /** What else a call record may contain, for those who read it; also of a refusal. */
  readonly records?: Members;
  /**
   * Arguments of the C function that it fills in; they come after those of `in`. Names of `out` or `records`, or one
   * struct of which `out` has the members.
   */
  readonly fills?: readonly string[];
  /** All arguments in the order of the C function, where those that it fills in are not the last. */
  readonly order?: readonly string[];
  /** The one of `out` that callers get; all of them otherwise. */
  readonly gives?: string;
  /** What it returns is a text, which callers get with `out`. */
  readonly returns?: 'text';
  /** Random programs alone call it: no feature is about its page yet. */
  readonly explored?: true;
  /** Only the host process calls it, before there is a driver. */
  readonly internal?: true;
}

/** A description as it stands, so that the types of all that follows from it can be inferred. */
export const verb = <const D extends Description>(description: D): D => description;

type ArgumentValues<In, Objects> = In extends readonly [infer First, ...infer Others]
  ? First[keyof First] extends ConstantType<string>
    ? ArgumentValues<Others, Objects>
    : [ValueOf<First[keyof First], Objects>, ...ArgumentValues<Others, Objects>]
  : [];

type Answer<D, Objects> = D extends { readonly makes: infer Kind }
  ? Promise<Objects[Kind & keyof Objects]>
  : D extends { readonly out: infer Out; readonly gives: infer Name }
    ? Promise<ValueOf<Out[Name & keyof Out], Objects>>
    : D extends { readonly out: infer Out; readonly returns: 'text' }
      ? Promise<{ readonly text: string } & ValuesOf<Out, Objects>>
      : D extends { readonly out: infer Out }
        ? Promise<ValuesOf<Out, Objects>>
        : Promise<void>;

/** A verb as a method: its arguments in order, those that are always the same left out. */
export type Method<D, Objects> = D extends { readonly in: infer In }
  ? (...args: ArgumentValues<In, Objects>) => Answer<D, Objects>
  : never;

type Merged<In> = In extends readonly [infer First, ...infer Others] ? First & Merged<Others> : unknown;

/** The arguments of a verb by their names, as they travel. */
export type NamedArguments<D, Objects> = D extends { readonly in: infer In } ? ValuesOf<Merged<In>, Objects> : never;

type Filled<D, Name extends string> = D extends { readonly [Member in Name]: infer Of } ? Of : unknown;
type Made<D> = D extends { readonly makes: infer K } ? (typeof kinds)[K & Kind]['members'] : unknown;

/** What a verb fills in by its names, as it travels: the members of what it makes among them. */
export type NamedOutputs<D, Objects> = D extends Description
  ? ValuesOf<Filled<D, 'out'> & Filled<D, 'records'> & Made<D>, Objects>
  : never;
