import { errnoName } from '../../../drivers/contract';
import { isRefusal } from '../../../drivers/pipeline/conventions';
import { isVerbName } from '../../../drivers/verbs';
import { checksFor, type Check } from '../../reproduce/checks';
import { Facts } from '../../reproduce/facts';
import { wordOf, type Answer, type LocalPort, type Op } from '../../reproduce/program';
import { Provenance } from '../../reproduce/provenance';
import type { ReferenceRun } from '../../reproduce/reference';
import type { StoredFinding } from './stored-finding';

/** What a program in C compares, and what it expects of the call. */
export interface Judgement {
  readonly checks: readonly Check[];
  readonly answers: readonly Answer[];
}

/**
 * What a program has to compare so that a finding shows: what the oracle has named where C can see it, or else where the
 * device did otherwise in that call than the simulator does.
 */
export function judgementOf(
  finding: StoredFinding,
  ops: readonly Op[],
  reference: ReferenceRun,
  local: LocalPort,
): Judgement {
  const { at } = finding.difference;
  const index = ops.findIndex(({ step }) => step === at);
  const op = ops[index];
  const { answers } = reference;
  if (op === undefined || finding.oracle === 'metamorphic') return { checks: [], answers };
  const named = finding.oracle === 'inclusion' ? namedCheck(finding, index, op, answers[index], local) : undefined;
  if (named === undefined)
    return { checks: checksFor(ops, reference, { step: at, comparison: undefined }, local), answers };
  return { checks: [named], answers: answers.with(index, expectedAnswer(named, op, answers[index])) };
}

function namedCheck(
  finding: StoredFinding,
  index: number,
  op: Op,
  reference: Answer | undefined,
  local: LocalPort,
): Check | undefined {
  const { what, expected, observed } = finding.difference;
  const isPending = expected === 'nothing yet' || observed === 'nothing yet';
  const plain = (
    path: string,
    type: 'pending' | 'errno' | 'count',
    wanted: Check['expected'],
    seen: Check['expected'],
  ): Check => ({
    op: index,
    path,
    type,
    expected: wanted,
    observed: seen,
  });
  if (isPending) {
    const word = (value: unknown): string => (value === 'nothing yet' ? 'not returned' : 'returned');
    return plain('pending', 'pending', word(expected), word(observed));
  }
  if (op.call.verb === 'poll' && what === 'returned')
    return {
      op: index,
      path: 'revents',
      type: 'set',
      flag: 'POLLIN',
      expected: expected !== 0,
      observed: observed !== 0,
    };
  if (
    op.call.verb === 'ibv_poll_cq' &&
    (what === 'returned' || what === 'wc') &&
    Number(expected) >= 0 &&
    Number(observed) >= 0
  )
    return plain('count', 'count', expected, observed);
  if (what === 'returned' || what === 'errno') {
    const wanted = resultOf(op, what, expected, reference?.errno);
    const seen = op.answer.errno ?? 'success';
    return wanted === undefined || wanted === seen ? undefined : plain('result', 'errno', wanted, seen);
  }
  return memberCheck(finding, index, op, local);
}

/** What a function is expected to come to, by the name of its error. */
function resultOf({ call }: Op, what: string, expected: unknown, errno: string | undefined): string | undefined {
  if (what === 'errno') return typeof expected === 'number' ? errnoName(expected) : undefined;
  if (!isVerbName(call.verb) || (typeof expected !== 'number' && typeof expected !== 'string' && expected !== null))
    return undefined;
  return isRefusal(call.verb, expected) ? errno : 'success';
}

/** A member of what was filled in, where devices choose neither the object nor the number. */
function memberCheck({ difference }: StoredFinding, index: number, op: Op, local: LocalPort): Check | undefined {
  const { what, expected } = difference;
  if (/(qpNum|srcQp|invalidatedRkey|key|addr|channel|context|element|^cq)$/.test(what)) return undefined;
  const facts = new Facts(new Provenance(local), () => undefined).of(op, op.answer);
  const fact = facts.find(({ path, flag }) => path === what && flag === undefined);
  if (fact === undefined) return undefined;
  return { op: index, path: fact.path, type: fact.type, expected, observed: fact.value };
}

/** The reference's answer with what is expected: its schedule may be another one than that which explains most. */
function expectedAnswer({ path, expected }: Check, op: Op, reference: Answer | undefined): Answer {
  if (path === 'pending')
    return expected === 'not returned' ? { returned: undefined, outputs: {} } : { returned: 0, outputs: {} };
  if (path === 'count') return { returned: Number(expected), outputs: {} };
  if (path !== 'result') return op.answer;
  if (expected === 'success') return { returned: reference?.returned ?? 0, outputs: reference?.outputs ?? {} };
  return { errno: wordOf(expected), returned: reference?.returned ?? null, outputs: {} };
}
