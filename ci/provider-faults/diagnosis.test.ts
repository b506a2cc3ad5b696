import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KnownFault } from '../../reports/diagnosis/dictionary';
import { FaultIndex } from '../../reports/diagnosis/fault-index';
import { shortHash } from '../../reports/diagnosis/scenario-keys';
import { SpoiledStates } from '../../reports/diagnosis/states/spoiled-states';
import { ProviderDiagnosis } from './diagnosis';
import type { ProviderFault } from './fault';
import type { Shown } from './judge-fault';

const rules = new Map(['a', 'b', 'c'].map((letter) => [letter, [`ibv_poll_cq.${letter}`]]));

function known(letter: string): KnownFault {
  const fails = new Map([[letter, shortHash('wrong')]]);
  return { name: letter, effect: `${letter} is wrong`, rules: [`ibv_poll_cq.${letter}`], fails };
}

function fault(...letters: readonly string[]): ProviderFault {
  return { effect: 'wrong', exposes: () => true, rules: letters.map((letter) => `ibv_poll_cq.${letter}`) };
}

/** The scenario of a rule fails, and the others pass. */
function shown(failing: string): Shown[] {
  return [...rules].map(([letter, clauseIds], index) => ({
    ...{ uri: 'a.feature', line: index + 1, name: letter, clauseIds, detail: undefined },
    ...(letter === failing ? { verdict: 'fail' as const, signature: 'wrong' } : { verdict: 'pass' as const }),
  }));
}

function diagnosisOf(...pairs: readonly (readonly [ProviderFault, string])[]): ProviderDiagnosis {
  const keys = new Map([...rules.keys()].map((letter, index) => [`a.feature:${index + 1}`, letter]));
  const diagnosis = new ProviderDiagnosis({ index: FaultIndex.of([known('a'), known('b')], rules), rules, keys });
  for (const [index, [one, failing]] of pairs.entries()) diagnosis.add(`fault-${index}`, one, shown(failing));
  return diagnosis;
}

it('a fault of a provider is diagnosed by the rules that it breaks', () => {
  const diagnosis = diagnosisOf([fault('a'), 'a'], [fault('b', 'c'), 'b'], [fault('c'), 'a'], [fault('c'), 'c']);
  const lines = diagnosis.report().map((line) => line.replace(/ +\d.*/, ''));
  assert.deepEqual(lines.slice(0, 4), [
    'fault-0: same rules: a is wrong (ibv_poll_cq.a)',
    'fault-1: rule named first: b is wrong (ibv_poll_cq.b)',
    'fault-2: wrong: a is wrong (ibv_poll_cq.a)',
    'fault-3: like no known fault: like no known fault',
  ]);
});

it('a fault of a provider is diagnosed by its twin in the simulator, whatever rules that breaks', () => {
  const twin = { ...known('a'), name: 'born-armed' };
  const diagnosis = new ProviderDiagnosis({
    ...{ index: FaultIndex.of([twin], rules), rules },
    keys: new Map([['a.feature:1', 'a']]),
  });
  diagnosis.add('new-cq-is-armed', fault('c'), shown('a'));
  diagnosis.add('event-is-lost', fault('c'), shown('a'));
  assert.deepEqual(diagnosis.report().slice(0, 2), [
    'new-cq-is-armed: same fault: a is wrong (ibv_poll_cq.a)',
    'event-is-lost: wrong: a is wrong (ibv_poll_cq.a)',
  ]);
});

it('members of completions that differ decide between faults that show alike', () => {
  const ids = ['ibv_poll_cq.field-wr-id', 'ibv_poll_cq.field-byte-len'];
  const both = new Map([['a', ids]]);
  const faults = ids.map((id) => ({ ...known('a'), name: id, effect: id, rules: [id] }));
  const takenFor = (member: string): string | undefined => {
    const index = FaultIndex.of(faults, both);
    const diagnosis = new ProviderDiagnosis({ index, rules: both, keys: new Map([['a.feature:1', 'a']]) });
    const one = { ...fault('a'), rules: [`ibv_poll_cq.field-${member.replaceAll('_', '-')}`] };
    diagnosis.add(
      'one',
      one,
      shown('a').map((scenario) => ({ ...scenario, differing: new Set([member]) })),
    );
    return diagnosis.report()[0];
  };
  assert.match(takenFor('wr_id') ?? '', /^one: same rules: ibv_poll_cq\.field-wr-id/);
  assert.match(takenFor('byte_len') ?? '', /^one: same rules: ibv_poll_cq\.field-byte-len/);
});

it('a state that goes wrong in a provider is right if a rule that it breaks is the first that is named', () => {
  const shows = [{ signature: shortHash('wrong'), rule: shortHash('ibv_poll_cq.a'), share: 1 }];
  const state = {
    name: 'Cq.cqes',
    effect: 'completions are lost',
    faults: 9,
    isNamedByFaults: false,
    shows,
    differs: {},
  };
  const others = { ...state, name: 'other', shows: [{ signature: 'else', rule: 'else', share: 1 }] };
  const index = FaultIndex.of([], rules, new SpoiledStates([state, others]));
  const diagnosis = new ProviderDiagnosis({ index, rules, keys: new Map([['a.feature:1', 'a']]) });
  diagnosis.add('right', fault('a'), shown('a'));
  diagnosis.add('wrong', fault('b'), shown('a'));
  assert.deepEqual(diagnosis.report().slice(0, 2), [
    'right: rule named first: completions are lost (ibv_poll_cq.a)',
    'wrong: wrong: completions are lost (ibv_poll_cq.a)',
  ]);
});

it('a diagnosis of a provider is good enough if 70 % are right', () => {
  const [right, wrong] = [[fault('a'), 'a'] as const, [fault('c'), 'a'] as const];
  assert.ok(diagnosisOf(right, right, right, right, wrong).isGoodEnough);
  assert.ok(!diagnosisOf(right, right, wrong).isGoodEnough);
});
