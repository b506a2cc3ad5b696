import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systematicFaults } from '../../drivers/sim/faults/systematic';
import type { SystematicFault } from '../../drivers/sim/faults/systematic/systematic-fault';
import type { Explanation } from '../../reports/diagnosis/diagnose';
import { membersOf, nameOnly } from '../../reports/diagnosis/members/members';
import { systematicVerdict } from './systematic-truth';
import { rightShare, tableOf, type Verdict } from './verdicts';

/** The first cause is a fault of these rules, under which one scenario fails. */
function causeOf(...rules: readonly string[]): Explanation {
  const fault = { name: 'known', effect: 'known', rules, fails: new Map([['key', 'how']]) };
  return { faults: [fault], rules, explained: ['key'], isNear: false, missed: 0 };
}

function systematic(piece: string): SystematicFault {
  const found = systematicFaults().find((fault) => fault.piece === piece);
  assert.ok(found, `no systematic fault spoils ${piece}`);
  return found;
}

function verdict(piece: string, ...rules: readonly string[]): Verdict {
  return systematicVerdict(systematic(piece), new Map([['key', 'else']]), causeOf(...rules));
}

describe('what a diagnosis of a systematic fault has to name', () => {
  it('is the member of a completion that it spoils, and no other one', () => {
    assert.equal(verdict('wc.byteLen', 'ibv_poll_cq.field-byte-len'), 'same verb and member');
    assert.equal(verdict('wc.byteLen', 'ibv_poll_cq.field-wr-id'), 'wrong');
    assert.equal(verdict('wc.byteLen', 'ibv_poll_cq.field-byte-len', 'ibv_poll_cq.field-wr-id'), 'wrong');
    assert.equal(verdict('wc.byteLen', 'ibv_poll_cq.drain-loop'), 'wrong');
  });

  it('is a rule about the state that it spoils, first', () => {
    assert.equal(
      verdict('Cq.request', 'ibv_req_notify_cq.one-shot', 'ibv_poll_cq.drain-loop'),
      'about what is spoiled',
    );
    assert.equal(verdict('Cq.request', 'ibv_poll_cq.drain-loop', 'ibv_req_notify_cq.one-shot'), 'wrong');
    assert.equal(verdict('Cq.users', 'ibv_poll_cq.drain-loop'), 'wrong');
  });

  it('is the state that it spoils, of the kind of object that has it', () => {
    const named = (piece: string, name: string): Verdict => {
      const state = { name, effect: 'wrong', faults: 1, isNamedByFaults: false, shows: [], differs: {} };
      return systematicVerdict(systematic(piece), new Map(), { ...causeOf(), faults: [], state });
    };
    assert.equal(named('Srq.wrs', 'Srq.wrs'), 'same state');
    assert.equal(named('Srq.wrs', 'Qp.receives.wrs'), 'wrong');
    assert.equal(named('Cq.asyncEvents.owed', 'Srq.asyncEvents.owed'), 'wrong');
    assert.equal(named('wc.byteLen', 'Cq.cqes'), 'wrong');
  });

  it('is what the verb returns that returns something wrong, its signature included', () => {
    const fault = systematicFaults().find(({ verb, piece }) => verb === 'ibv_req_notify_cq' && piece === 'returned');
    assert.ok(fault);
    const named = (rule: string): Verdict => systematicVerdict(fault, new Map([['key', 'else']]), causeOf(rule));
    assert.equal(named('ibv_req_notify_cq.signature'), 'about what is spoiled');
    assert.equal(named('ibv_req_notify_cq.returns-zero'), 'about what is spoiled');
    assert.equal(named('ibv_get_cq_event.signature'), 'wrong');
    assert.equal(named('ibv_req_notify_cq.one-shot'), 'wrong');
  });

  it('is the rule about the limit of an SRQ, but no rule for its receives', () => {
    assert.equal(verdict('Srq.limit', 'ibv_get_async_event.event-srq-limit'), 'about what is spoiled');
    assert.equal(verdict('Srq.limit', 'ibv_get_async_event.element-srq'), 'wrong');
    assert.equal(verdict('Srq.wrs', 'ibv_get_async_event.event-srq-limit'), 'wrong');
  });

  it('is something', () => {
    assert.equal(systematicVerdict(systematic('Cq.request'), new Map(), undefined), 'like no known fault');
  });

  it('is a fault that cannot be distinguished from it, whatever its rules', () => {
    const same = systematicVerdict(
      systematic('Cq.request'),
      new Map([['key', 'how']]),
      causeOf('ibv_poll_cq.drain-loop'),
    );
    assert.equal(same, 'same failures');
  });
});

describe('the members that rules are about', () => {
  it('are found by the slugs of the rules', () => {
    const rules = ['ibv_poll_cq.field-src-qp-ud-only', 'ibv_create_cq_ex.wcflag-imm', 'ibv_poll_cq.flag-grh'];
    assert.deepEqual([...membersOf(rules)], ['src_qp', 'imm_data', 'wc_flags']);
    assert.deepEqual([...membersOf(['ibv_poll_cq.oldest-first', 'ibv_resize_cq.read-all'])], []);
  });

  it('are the same only where none is another', () => {
    assert.ok(nameOnly(['ibv_poll_cq.field-wr-id'], new Set(['wr_id', 'status'])));
    assert.ok(!nameOnly(['ibv_poll_cq.field-wr-id'], new Set(['status'])));
    assert.ok(!nameOnly(['ibv_poll_cq.oldest-first'], new Set(['status'])));
  });
});

it('a table lists what is wrong, and does not count a rule in common as right', () => {
  const given = ['same rules', 'a rule in common', 'wrong', 'like no known fault'] as const;
  const all = given.map((one) => ({ name: one, kind: 'sampled', fails: 1, first: undefined, verdict: one }));
  assert.equal(rightShare(all), 0.25);
  assert.deepEqual(
    tableOf(all)
      .slice(0, 3)
      .map((line) => line.replace(/:.*/, '')),
    given.slice(1),
  );
  assert.match(tableOf(all).at(-1) ?? '', /^right +1 \(25\.0 %\) +1 \(25\.0 %\)$/);
});
