import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { run, scenario } from '../fixtures/proof-runs';
import type { FaultRun } from '../proof/proof';
import { dictionaryOf, knownFaults } from './dictionary';
import { readDictionary } from './dictionary-file';
import { dictionaryProblems } from './dictionary-fit';
import { scenarioKeys, shortHash } from './scenario-keys';

const first = scenario('page.first', 1);
const second = scenario('page.second', 2);
const sound = [first, second];
const [firstKey = '', secondKey = ''] = scenarioKeys(sound);

function withSignature(failed: FaultRun, signature: string): FaultRun {
  return { ...failed, failed: failed.failed.map((one) => ({ ...one, signature })) };
}

const late = withSignature(run('late', ['page.first'], [first, second]), 'fail: no event');
const early = withSignature(run('early', ['page.second'], [second]), 'fail: an event');
const silent = run('silent', ['page.first'], []);
const dictionary = dictionaryOf(sound, [late, early, silent]);

describe('the fault dictionary', () => {
  it('has the scenarios that fail under each fault by their signatures, and no fault that fails none', () => {
    const both = [firstKey, secondKey].sort().join(' ');
    assert.deepEqual(dictionary.faults, {
      early: { effect: 'it goes wrong', rules: ['page.second'], fails: { [shortHash('fail: an event')]: secondKey } },
      late: {
        effect: 'it goes wrong',
        rules: ['page.first'],
        fails: { [shortHash('fail: no event')]: both },
      },
    });
  });

  it('keeps the states that it had', () => {
    const states = { limit: { effect: 'wrong', faults: 1, shows: { [shortHash('a')]: `${firstKey}:7` }, differs: {} } };
    assert.deepEqual(dictionaryOf(sound, [early], { ...dictionary, states }).states, states);
    assert.ok(!('states' in dictionary));
  });

  it('leaves out what is broken: nothing of the device is said by that', () => {
    const broken = { ...late, failed: late.failed.map((one) => ({ ...one, verdict: 'broken' as const })) };
    assert.deepEqual(dictionaryOf(sound, [broken]).faults, {});
  });

  it('is looked up by scenario', () => {
    const [fault] = knownFaults(dictionary);
    assert.ok(fault);
    assert.equal(fault.name, 'early');
    assert.deepEqual([...fault.fails], [[secondKey, shortHash('fail: an event')]]);
  });

  it('names scenarios by rule and name, wherever they stand, and numbers those that share both', () => {
    const moved = { ...first, line: 99 };
    const [key = '', twin = '', other = ''] = scenarioKeys([moved, first, { ...first, clauseIds: ['page.other'] }]);
    assert.equal(key, firstKey);
    assert.equal(new Set([key, twin, other]).size, 3);
  });
});

describe('a dictionary that is out of date', () => {
  const problems = (runs: readonly FaultRun[]): string[] => dictionaryProblems(dictionary, sound, runs);

  it('is none as long as the same fails in the same way', () => {
    assert.deepEqual(problems([late, early, silent]), []);
  });

  it('is named in one line, with the first difference', () => {
    const otherwise = withSignature(late, 'fail: two events');
    const cases: readonly [readonly FaultRun[], RegExp][] = [
      [[otherwise, early], /: 2 scenarios fail otherwise under fault late: `verbspec prove --accept`$/],
      [[{ ...late, failed: [] }, early], /: 1 scenario fails otherwise under fault late: /],
      [[late], /: there is no fault early any more: /],
      [[late, early, { ...early, fault: { ...early.fault, name: 'new' } }], /: fault new is new: /],
      [[late, { ...early, fault: { ...early.fault, effect: 'x' } }], /: fault early says something else: /],
      [[otherwise], /: there is no fault early any more \(and 1 more\): /],
    ];
    for (const [runs, pattern] of cases) {
      const [problem = '', ...others] = problems(runs);
      assert.match(problem, pattern);
      assert.deepEqual(others, []);
    }
    assert.match(dictionaryProblems(undefined, sound, [late])[0] ?? '', /: fault late is new: /);
  });

  it('does not count scenarios of other rules that did not run to their end', () => {
    assert.deepEqual(problems([{ ...late, failed: late.failed.slice(0, 1) }, early]), []);
  });
});

describe('the file of the dictionary', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-dictionary-'));
  after(() => {
    rmSync(folder, { recursive: true });
  });

  function reading(text: string): () => unknown {
    const path = join(folder, 'dictionary.json');
    writeFileSync(path, text);
    return () => readDictionary(path);
  }

  const refused = (pattern: RegExp) => (error: unknown) => error instanceof UsageError && pattern.test(error.message);

  it('is read as it was written', () => {
    assert.deepEqual(reading(JSON.stringify(dictionary))(), dictionary);
  });

  it('is refused where it is damaged, or of another version', () => {
    const whole = JSON.stringify(dictionary);
    assert.throws(reading(whole.slice(0, -9)), refused(/dictionary\.json is not valid JSON/));
    assert.throws(reading(JSON.stringify({ schemaVersion: 2, faults: [] })), refused(/is of schema version 2, and/));
    assert.throws(reading(whole.replace(secondKey, 'x')), refused(/cannot be used: .* departs from its schema/));
    const states = { limit: { effect: 'wrong', faults: 1, shows: { [firstKey]: firstKey }, differs: {} } };
    assert.throws(reading(JSON.stringify({ ...dictionary, states })), refused(/departs from its schema/));
    assert.throws(() => readDictionary(join(folder, 'none')), refused(/cannot be used: /));
  });
});
