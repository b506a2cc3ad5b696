import { isList, isStruct, type Comparison, type Data } from '../../drivers/contract';
import { cName } from '../../drivers/verbs/derived/c-text';
import { Facts, isRefusedAsDescribed, isSame, placeOf, type Fact } from './facts';
import { wordOf, isRef, type Answer, type LocalPort, type Op } from './program';
import { Provenance } from './provenance';
import type { ReferenceRun } from './reference';

/** What a program compares once an operation is over. */
export interface Check {
  /** Number of the operation. */
  readonly op: number;
  readonly path: string;
  /** Of a text, that it is not that of another value. */
  readonly type: Fact['type'] | 'distinct';
  readonly flag?: string;
  readonly expected: Fact['value'];
  readonly observed: Fact['value'];
  /** Where a larger number would do as well, or a smaller one. */
  readonly bound?: 'atLeast' | 'atMost';
  /** Number of the operation that gave the text from which this one has to differ. */
  readonly other?: number;
}

/** What failed in a run, as far as the calls show where. */
export interface RecordedFailure {
  /** The number of the step; none of the clean-up. */
  readonly step: number | undefined;
  readonly comparison: Comparison | undefined;
}

/** Members that differ between sound devices. */
const free: ReadonlySet<string> = new Set(['numCompVectors', 'addr', 'length', 'lkey', 'rkey', 'qpNum']);
const freeVerbs = /^(ibv_query_|ibv_wc_read_completion_ts$|memory allocate$)/;

/**
 * What a program has to compare so that the failure shows: where the run's device answered otherwise than the reference, in
 * the step that failed, or else in the last call before its end that shows a difference.
 */
export function checksFor(
  ops: readonly Op[],
  reference: ReferenceRun,
  failure: RecordedFailure,
  local: LocalPort,
): Check[] {
  const differences = differencesIn(ops, reference, local);
  const ofStep = narrowed(
    differences.filter(({ op }) => ops[op]?.step === failure.step),
    ops,
    failure.comparison,
  );
  const named = ofStep.filter((check) => isNamed(check, failure.comparison));
  if (named.some(({ path }) => path !== 'pending')) return named;
  const [first] = ofStep;
  if (named.length > 0 && first?.op === named[0]?.op) return named;
  if (named.length > 0) return differences.filter(({ op }) => op === first?.op);
  const about = ofStep.filter((check) => isAbout(check, ops[check.op], failure.comparison));
  if (about.length > 0) return about;
  if (ofStep.length > 0) return ofStep;
  const bound = boundIn(ops, failure, local);
  if (bound !== undefined) return [bound];
  const before = differences.filter((check) => isNamed(check, failure.comparison));
  const last = before.at(-1) ?? differences.at(-1);
  return last === undefined ? sharedTextIn(ops) : differences.filter(({ op }) => op === last.op);
}

/** The first text that two values share, if there is one: the reference has texts of its own. */
function sharedTextIn(ops: readonly Op[]): Check[] {
  const texts = ops.flatMap(({ description, answer, args }, op) =>
    description.returns === 'text' && typeof answer.returned === 'string'
      ? [{ op, text: answer.returned, of: wordOf(Object.values(args)[0]) }]
      : [],
  );
  for (const [index, { op, text, of }] of texts.entries()) {
    const before = texts.slice(0, index).find((one) => one.text === text && one.of !== of);
    if (before === undefined) continue;
    const values = { expected: 'a text of its own', observed: `that of ${before.of}` };
    return [{ op, path: 'text', type: 'distinct', ...values, other: before.op }];
  }
  return [];
}

function differencesIn(ops: readonly Op[], { answers, provenance }: ReferenceRun, local: LocalPort): Check[] {
  const ofRun = new Facts(
    provenanceOf(ops, local),
    qpTypes(
      ops,
      ops.map(({ answer }) => answer),
    ),
  );
  const ofReference = new Facts(provenance, qpTypes(ops, answers));
  return ops.flatMap((op, index) => {
    const answer = answers[index];
    if (answer === undefined) return [];
    if (!isRefusedAsDescribed(op.description, op.answer)) return [refusalOf(index, op)];
    const expected = new Map(ofReference.of(op, answer).map((fact) => [placeOf(fact), fact]));
    return ofRun.of(op, op.answer).flatMap((fact) => {
      const other = expected.get(placeOf(fact));
      if (other === undefined || isSame(fact, other) || isFree(op, fact)) return [];
      return [isCqeTooMany(op, fact) ? noCqe(index, op) : checkOf(index, fact, other.value)];
    });
  });
}

/**
 * The operations, of which those that are compared by whether they return are calls under way: one that blocks has to
 * stand beside the program that looks at it. An event is looked for before it is taken, unless its descriptor does not block.
 */
export function watched(ops: readonly Op[], checks: readonly Check[]): Op[] {
  return ops.map((op, index) => {
    const isCompared = checks.some((check) => check.op === index && check.path === 'pending');
    const isLooked = eventGetters.has(op.call.verb) && !op.isNonBlocking;
    if (!isCompared || isLooked || op.pendingUntil !== undefined || op.description.blocks === undefined) return op;
    return { ...op, pendingUntil: index + 1 < ops.length ? index + 1 : 'never' };
  });
}

const eventGetters: ReadonlySet<string> = new Set(['ibv_get_cq_event', 'ibv_get_async_event']);

function checkOf(op: number, { path, type, flag, value }: Fact, expected: Fact['value']): Check {
  const isSmall = path === 'cqe' && typeof value === 'number' && typeof expected === 'number' && value < expected;
  const bound = isSmall ? ({ bound: 'atLeast' } as const) : {}; // a device may make a CQ larger
  return { op, path, type, ...(flag !== undefined && { flag }), expected, observed: value, ...bound };
}

/** A CQ that the reference does not let poll any more may as well be one that gives nothing. */
const isCqeTooMany = ({ call, answer }: Op, { path, value }: Fact): boolean =>
  call.verb === 'ibv_poll_cq' && path === 'result' && value === 'success' && Number(answer.returned) > 0;

const noCqe = (op: number, { answer }: Op): Check => ({
  op,
  path: 'count',
  type: 'count',
  expected: 0,
  observed: answer.returned ?? null,
  bound: 'atMost',
});

/** A refusal that returns an errno number returns a positive one; any other returns -1. */
const refusalOf = (op: number, { description, answer }: Op): Check => ({
  op,
  path: 'returned',
  type: 'count',
  expected: description.fails === 'errno' ? 0 : -1,
  observed: answer.returned ?? null,
  ...(description.fails === 'errno' && { bound: 'atLeast' }),
});

function isFree({ call, made }: Op, { path }: Fact): boolean {
  if (path === 'result' || path === 'pending') return false;
  return freeVerbs.test(call.verb) || (made !== undefined && free.has(path));
}

function provenanceOf(ops: readonly Op[], local: LocalPort): Provenance {
  const provenance = new Provenance(local);
  for (const { made, answer, call } of ops) {
    const { length } = call.args;
    if (made !== undefined) provenance.learn(made, answer, typeof length === 'number' ? length : 0);
  }
  return provenance;
}

function qpTypes(ops: readonly Op[], answers: readonly Answer[]): (qpNum: number) => string | undefined {
  const types = new Map<unknown, string>();
  for (const [index, { call }] of ops.entries()) {
    const { qpInitAttr } = call.args;
    if (call.verb === 'ibv_create_qp' && isStruct(qpInitAttr) && typeof qpInitAttr.qpType === 'string')
      types.set(answers[index]?.outputs.qpNum, qpInitAttr.qpType);
  }
  return (qpNum) => types.get(qpNum);
}

/** What a scenario may compare in words of its own. */
const generalPaths: ReadonlySet<string> = new Set(['count', 'result', 'pending', 'returned']);

/** Whether what the scenario compared has both values. */
function isNamed({ flag, expected, observed, path }: Check, comparison: Comparison | undefined): boolean {
  if (comparison === undefined) return false;
  const [wanted, seen] = [JSON.stringify(comparison.expected), JSON.stringify(comparison.observed)];
  if (flag !== undefined) return `${wanted}${seen}`.includes(flag);
  if (generalPaths.has(path)) return true;
  return isWithin(wanted, expected) && isWithin(seen, observed);
}

/** Of the differences those in members that the scenario found to differ, if there are such: others are let pass. */
function narrowed(differences: readonly Check[], ops: readonly Op[], comparison: Comparison | undefined): Check[] {
  const members = differingMembers(comparison?.expected, comparison?.observed);
  const found = differences.filter(({ op, path }) => members.has(memberOf(path, ops[op])));
  return found.length > 0 ? found : [...differences];
}

/** The names of the members in which two values of one shape differ. */
function differingMembers(one: Data | undefined, other: Data | undefined): ReadonlySet<string> {
  if (isList(one) && isList(other) && one.length === other.length)
    return new Set(one.flatMap((item, index) => [...differingMembers(item, other[index])]));
  if (!isStruct(one) || !isStruct(other)) return new Set();
  return new Set(Object.keys(one).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name])));
}

/** Whether a thing is a member that the scenario compared: others may differ among sound devices. */
function isAbout({ path }: Check, op: Op | undefined, comparison: Comparison | undefined): boolean {
  if (comparison === undefined || op === undefined) return false;
  return JSON.stringify([comparison.expected, comparison.observed]).includes(`"${memberOf(path, op)}":`);
}

/** The name that a scenario has for a member. */
const memberOf = (path: string, op: Op | undefined): string =>
  path === 'value' ? (op?.call.verb.replace(/^ibv_wc_read_/, '') ?? '') : cName(path.replace(/^.*\./, ''));

const isWithin = (text: string, value: Fact['value']): boolean =>
  !isRef(value) && typeof value !== 'boolean' && text.includes(wordOf(value));

/** The thing that the scenario observed, where it compared it with a bound, or with a value that the calls do not have. */
function boundIn(ops: readonly Op[], { step, comparison }: RecordedFailure, local: LocalPort): Check | undefined {
  if (comparison === undefined) return undefined;
  const { expected, observed } = comparison;
  const atLeast = isStruct(expected) && typeof expected.atLeast === 'number' ? expected.atLeast : undefined;
  const value: Data | undefined = atLeast ?? (isStruct(expected) ? undefined : expected);
  if (
    value === undefined ||
    typeof value === 'object' ||
    typeof observed === 'object' ||
    typeof value !== typeof observed
  )
    return undefined;
  const facts = new Facts(provenanceOf(ops, local), () => undefined);
  const found = ops
    .flatMap((op, index) => (op.step === step ? facts.of(op, op.answer).map((fact) => ({ index, fact })) : []))
    .findLast(({ fact }) => fact.value === observed && fact.path !== 'pending');
  if (found === undefined) return undefined;
  return { ...checkOf(found.index, found.fact, value), ...(atLeast !== undefined && { bound: 'atLeast' }) };
}
