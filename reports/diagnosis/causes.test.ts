import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createColors } from 'picocolors';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import type { JudgedRun } from '../judge/judged-run';
import { causesOf, type Causes } from './causes';
import { parseCauses } from './causes-file';
import { causesPart } from './causes-text';
import type { Dictionary } from './dictionary';
import { failureOf } from './failures';
import { groupsOf } from './groups';
import { scenarioKeys, shortHash } from './scenario-keys';

const layout = { columns: 72, colors: createColors(false) };

describe('the causes of a run', () => {
  let judged: JudgedRun;
  let dictionary: Dictionary;

  /** A fault that fails all that fails in the run of which the name has this word. */
  function faultLike(word: RegExp): Dictionary['faults'][string] {
    const keys = scenarioKeys(judged.scenarios.map(({ recorded, clauseIds }) => ({ name: recorded.name, clauseIds })));
    const fails: Record<string, string> = {};
    for (const [index, scenario] of judged.scenarios.entries()) {
      const signature = failureOf(scenario)?.signature;
      if (signature === undefined || !word.test(scenario.recorded.name)) continue;
      const hash = shortHash(signature);
      fails[hash] = [fails[hash], keys[index]].filter(Boolean).join(' ');
    }
    return { effect: 'a check goes wrong', rules: ['ibv_req_notify_cq.one-shot'], fails };
  }

  before(() => {
    judged = judgeMessages(recordOutcomes());
    dictionary = { schemaVersion: 1, faults: { wrong: faultLike(/^An assertion|^A structure/) } };
  });

  it('are the faults that the failures look like, then what no fault explains', () => {
    const { failed, causes } = causesOf(judged, dictionary);
    const [known, ...others] = causes;
    assert.equal(known?.words, `looks like: a check goes wrong (explains 3 of ${failed})`);
    assert.deepEqual(known.faults, ['wrong']);
    assert.deepEqual(known.rules, ['ibv_req_notify_cq.one-shot']);
    assert.ok(others.every(({ words, faults }) => faults.length === 0 && words.startsWith('like no known fault: ')));
    const explained = causes.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
    assert.equal(explained, failed, 'each failure has one cause');
  });

  it('are groups alone without a dictionary, the largest first', () => {
    const { causes } = causesOf(judged, undefined);
    assert.deepEqual(
      causes.map(({ scenarios }) => scenarios.length),
      groupsOf(judged.scenarios).map(({ failures }) => failures.length),
    );
    assert.ok(causes.length > 1 && causes.every(({ words }) => !/looks like|known fault/.test(words)));
    const counts = causes.map(({ scenarios }) => scenarios.length);
    assert.deepEqual(
      counts,
      [...counts].sort((one, other) => other - one),
    );
  });

  it('say how many scenarios pass that should fail', () => {
    const passing = judged.scenarios.find(({ verdict }) => verdict === 'pass');
    assert.ok(passing);
    const all = judged.scenarios.map(({ recorded, clauseIds }) => ({ name: recorded.name, clauseIds }));
    const key = scenarioKeys(all)[judged.scenarios.indexOf(passing)] ?? '';
    const fault = faultLike(/^An assertion|^A structure/);
    const more = { ...fault, fails: { ...fault.fails, passed: key } };
    const [cause] = causesOf(judged, { schemaVersion: 1, faults: { more } }).causes;
    assert.match(cause?.words ?? '', /\(explains 3 of \d+; 1 more should fail, and passes\)$/);
  });

  it('are a state that goes wrong, where no fault is like it', () => {
    const failures = judged.scenarios.flatMap((one) => failureOf(one) ?? []);
    const state = (shows: Record<string, string>) => ({
      ...{ effect: 'the limit of an SRQ is wrong', faults: 9, shows, differs: {} },
    });
    const ids = [...new Set(failures.flatMap(({ scenario }) => scenario.clauseIds))];
    const parts = ids.map((id) => `${shortHash(id)}:${Math.floor(1000 / ids.length / failures.length)}`).join(' ');
    const shows = Object.fromEntries(failures.map(({ signature }) => [shortHash(signature), parts]));
    const states = { 'Srq.limit': state(shows), other: state({ [shortHash('other')]: `${shortHash('other')}:1000` }) };
    const { causes } = causesOf(judged, { schemaVersion: 1, faults: {}, states });
    const [first] = causes;
    assert.deepEqual(
      [first?.kind, first?.title, first?.faults],
      ['state', 'looks like: the limit of an SRQ is wrong', []],
    );
    assert.ok(first?.rules.length && first.rules.every((id) => ids.includes(id)));
  });

  it('do not count what deviates as listed', () => {
    const scenarios = judged.scenarios.map((scenario) => ({
      ...scenario,
      verdict: 'deviates' as const,
      unexplained: [],
    }));
    assert.deepEqual(causesOf({ scenarios }, dictionary), { failed: 0, causes: [] });
    assert.deepEqual(causesPart({ failed: 0, causes: [] }, layout), []);
  });

  it('stand on a terminal in its width, an example each', () => {
    const lines = causesPart(causesOf(judged, dictionary), layout);
    assert.equal(lines[0], 'Causes, as far as one can see');
    assert.match(lines[1] ?? '', /^ {2}looks like: a check goes wrong \(explains 3 of \d+\)$/);
    assert.equal(lines[2], '    against ibv_req_notify_cq.one-shot');
    assert.match(lines[3] ?? '', /^ {4}one is "/);
    assert.ok(lines.every((line) => line.length <= layout.columns));
  });

  it('are listed up to ten, and the rest is counted', () => {
    const [cause] = causesOf(judged, dictionary).causes;
    assert.ok(cause);
    const causes = Array.from({ length: 12 }, () => cause);
    assert.equal(causesPart({ failed: 24, causes }, layout).at(-1), '  … and 2 more, with 6 scenarios');
  });

  it('steer no terminal, whatever is in them', () => {
    const [cause] = causesOf(judged, dictionary).causes;
    assert.ok(cause);
    const nasty = 'a\u001b[2Jb\n::error::x';
    const said = { ...cause, words: nasty, rules: [nasty], first: { name: nasty, uri: nasty, line: 1 } };
    const text = causesPart({ failed: 1, causes: [said] }, layout).join('\n');
    assert.doesNotMatch(text, /\u001b|^\s*::error/m);
  });

  it('are read as they were written, and refused where they are damaged', () => {
    const causes: Causes = causesOf(judged, dictionary);
    const json = JSON.stringify({ schemaVersion: 1, ...causes });
    assert.deepEqual(parseCauses(json, 'causes.json').causes, causes.causes);
    assert.throws(() => parseCauses(json.slice(1), 'causes.json'), /causes\.json is not valid JSON/);
    assert.throws(() => parseCauses('{"schemaVersion": 3}', 'causes.json'), /causes\.json departs from its schema/);
  });
});
