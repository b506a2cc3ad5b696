import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnose, type Diagnosis } from './diagnose';
import type { KnownFault } from './dictionary';
import { FaultIndex } from './fault-index';
import { shortHash } from './scenario-keys';
import type { KnownState } from './states/known-state';
import { SpoiledStates } from './states/spoiled-states';

/** A fault under which scenarios, a letter each, fail with one signature. Each scenario is of a rule of its own. */
function fault(name: string, scenarios: string, signature = 'sig'): KnownFault {
  const keys = scenarios.split('');
  const fails = new Map(keys.map((key) => [key, signature]));
  return { name, effect: name, rules: keys.map((key) => `page.${key}`), fails };
}

function diagnosed(failed: string, passed: string, ...faults: readonly KnownFault[]): Diagnosis {
  const keys = failed.split('');
  const rules = new Map([...keys, ...passed.split('')].map((key) => [key, [`page.${key}`]]));
  return diagnose(
    {
      failed: new Map(keys.map((key) => [key, 'sig'])),
      passed: new Set(passed.split('')),
      rules,
    },
    FaultIndex.of(faults, rules),
  );
}

/** `late+lost abc` for each explanation, then what is left. */
function told({ explanations, unexplained }: Diagnosis): string[] {
  return [
    ...explanations.map(({ faults, explained }) => `${faults.map(({ name }) => name).join('+')} ${explained.join('')}`),
    unexplained.join(''),
  ];
}

describe('a diagnosis', () => {
  it('takes the fault that explains most, then the one that explains most of the rest', () => {
    const faults = [fault('small', 'cd'), fault('large', 'abc'), fault('other', 'x')];
    assert.deepEqual(told(diagnosed('abcde', '', ...faults)), ['large abc', 'small d', 'e']);
  });

  it('punishes a fault that fails what passed', () => {
    const [blunt, sharp] = [fault('blunt', 'abcuvwxyz'), fault('sharp', 'ab')];
    assert.deepEqual(told(diagnosed('abc', 'uvwxyz', blunt, sharp)), ['sharp ab', 'blunt c', '']);
    assert.deepEqual(told(diagnosed('abc', '', blunt, sharp)), ['blunt abc', '']);
    assert.equal(diagnosed('abc', 'u', blunt).explanations[0]?.missed, 1);
  });

  it('prefers a fault under which the same scenarios fail in the same way', () => {
    const [same, other] = [fault('same', 'ab'), fault('other', 'abc', 'else')];
    assert.deepEqual(told(diagnosed('abc', '', other, same))[0], 'same ab');
  });

  it('goes by what fails in the same way, whichever rules a fault is said to break', () => {
    const close = { ...fault('close', 'abcd'), rules: ['page.x'] };
    assert.deepEqual(told(diagnosed('abcde', 'x', fault('rare', 'a'), close)), ['close abcd', 'e']);
  });

  it('takes for near what is of the same rules, and says so', () => {
    const { explanations } = diagnosed('ab', '', fault('near', 'b', 'else'), fault('same', 'a'));
    assert.deepEqual(
      explanations.map(({ faults, isNear }) => [faults[0]?.name, isNear]),
      [
        ['same', false],
        ['near', true],
      ],
    );
  });

  it('finds nothing alike where neither scenario nor rule nor signature is the same', () => {
    assert.deepEqual(told(diagnosed('abcd', 'xyz', fault('other', 'xyz', 'else'))), ['abcd']);
  });

  it('names the class where several faults fit equally', () => {
    assert.deepEqual(told(diagnosed('ab', '', fault('one', 'ab'), fault('two', 'ab'), fault('three', 'a'))), [
      'one+two ab',
      '',
    ]);
  });

  it('lets a fault explain those failures alone that it shows', () => {
    assert.deepEqual(told(diagnosed('abc', '', fault('narrow', 'a'))), ['narrow a', 'bc']);
  });

  it('says nothing of a run in which nothing failed', () => {
    assert.deepEqual(told(diagnosed('', 'abc', fault('one', 'abc'))), ['']);
  });
});

describe('a state that goes wrong', () => {
  /** A state with which scenarios of these rules fail, a letter each, besides one with which others do. */
  function states(letters: string, isNamedByFaults = false): SpoiledStates {
    const stateOf = (name: string, its: readonly string[]): KnownState => ({
      ...{ name, effect: name, faults: 4, isNamedByFaults, differs: {} },
      shows: its.map((one) => ({ signature: 'sig', rule: shortHash(`page.${one}`), share: 1 / its.length })),
    });
    return new SpoiledStates([stateOf('state', letters.split('')), stateOf('else', ['x', 'y', 'z'])]);
  }

  /** `state ab` for each explanation. */
  function toldWith(known: SpoiledStates, ...faults: readonly KnownFault[]): string[] {
    return toldOf('ab', known, ...faults);
  }

  /** The same where these scenarios fail, a letter each. */
  function toldOf(letters: string, known: SpoiledStates, ...faults: readonly KnownFault[]): string[] {
    const rules = new Map(`${letters}xyz`.split('').map((key) => [key, [`page.${key}`]]));
    const failed = new Map(letters.split('').map((key) => [key, 'sig']));
    const observed = { failed, passed: new Set(['x', 'y', 'z']), rules };
    const { explanations } = diagnose(observed, FaultIndex.of(faults, rules, known));
    return explanations.map(
      ({ state, faults: its, explained }) => `${state?.name ?? its[0]?.name ?? ''} ${explained.join('')}`,
    );
  }

  it('explains what no fault is much like', () => {
    const unlike = { ...fault('unlike', 'axyz'), rules: ['page.x'] };
    assert.deepEqual(toldWith(states('ab')), ['state ab']);
    assert.deepEqual(toldWith(states('ab'), unlike), ['state ab']);
    assert.deepEqual(toldWith(new SpoiledStates([]), unlike), ['unlike a']);
  });

  it('does not where a fault is like it', () => {
    assert.deepEqual(toldWith(states('ab'), fault('same', 'ab')), ['same ab']);
  });

  it('does not where a fault shows as a whole, beside others', () => {
    const whole = { ...fault('whole', 'ab'), rules: ['page.x'] };
    assert.deepEqual(toldOf('abcd', states('abcd'), whole), ['whole ab', 'state cd']);
    const alone = { ...fault('alone', 'a'), rules: ['page.x'] };
    assert.deepEqual(toldOf('abcd', states('abcd'), alone), ['state abcd']);
  });

  it('does not where faults say more exactly what goes wrong', () => {
    assert.deepEqual(toldWith(states('ab', true)), []);
  });

  it('has the rules that are violated, and that are with it', () => {
    const rules = new Map(['a', 'b', 'x'].map((key) => [key, [`page.${key}`]]));
    const failed = new Map(['a', 'b'].map((key) => [key, 'sig']));
    const { explanations } = diagnose(
      { failed, passed: new Set(['x']), rules },
      FaultIndex.of([], rules, states('abx')),
    );
    assert.deepEqual([...(explanations[0]?.rules ?? [])].sort(), ['page.a', 'page.b']);
  });
});
