import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnose, type Diagnosis } from './diagnose';
import type { KnownFault } from './dictionary';

/** A fault under which scenarios, a letter each, fail with one signature. */
function fault(name: string, scenarios: string, signature = 'sig', isSampled = false): KnownFault {
  const fails = new Map([...scenarios].map((key) => [key, signature]));
  return { name, effect: name, rules: [], isSampled, fails };
}

function diagnosed(failed: string, passed: string, ...faults: readonly KnownFault[]): Diagnosis {
  return diagnose({ failed: new Map([...failed].map((key) => [key, 'sig'])), passed: new Set([...passed]) }, faults);
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
    assert.deepEqual(told(diagnosed('abc', 'uvwxyz', blunt, sharp)), ['sharp ab', 'c']);
    assert.deepEqual(told(diagnosed('abc', '', blunt, sharp)), ['blunt abc', '']);
    assert.equal(diagnosed('abc', 'u', blunt).explanations[0]?.missed, 1);
  });

  it('prefers the same signature, and takes another one for half an explanation', () => {
    const [same, other] = [fault('same', 'ab'), fault('other', 'abc', 'else')];
    assert.deepEqual(told(diagnosed('abc', '', other, same)), ['same ab', 'c']);
  });

  it('finds nothing alike where no signature is the same', () => {
    assert.deepEqual(told(diagnosed('abcd', '', fault('other', 'abcd', 'else'))), ['abcd']);
  });

  it('names the class where several faults fit equally', () => {
    assert.deepEqual(told(diagnosed('ab', '', fault('one', 'ab'), fault('two', 'ab'), fault('three', 'a'))), [
      'one+two ab',
      '',
    ]);
  });

  it('lets a fault of which a sample ran explain more of the same signature', () => {
    assert.deepEqual(told(diagnosed('abc', '', fault('wide', 'a', 'sig', true))), ['wide abc', '']);
    assert.deepEqual(told(diagnosed('abc', '', fault('narrow', 'a'))), ['narrow a', 'bc']);
  });

  it('says nothing of a run in which nothing failed', () => {
    assert.deepEqual(told(diagnosed('', 'abc', fault('one', 'abc'))), ['']);
  });
});
