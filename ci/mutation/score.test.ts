import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArguedMutant } from './argued-list';
import { readArgued } from './argued-list';
import { mutatedFiles, type MutationReport } from './report';
import { judge } from './score';

type ReportedMutant = MutationReport['files'][string]['mutants'][number];

const source = 'const sum =\n  one +\n  other;\n';
const file = 'drivers/sim/sum.ts';

function mutant(status: ReportedMutant['status'], replacement = 'one - other'): ReportedMutant {
  const location = { start: { line: 2, column: 3 }, end: { line: 3, column: 8 } };
  return { mutatorName: 'ArithmeticOperator', replacement, status, location };
}

function report(...mutants: ReportedMutant[]): MutationReport {
  return { files: { [file]: { source, mutants } } };
}

const argued: ArguedMutant = {
  file,
  line: 'one +',
  code: 'one + other',
  replacement: 'one - other',
  why: 'equivalent',
  reason: 'other is always 0.',
};

const nineKilled = Array.from({ length: 9 }, () => mutant('Killed', 'one * other'));
const judged = (mutants: readonly ReportedMutant[], entries: readonly ArguedMutant[] = []) =>
  judge(mutatedFiles(report(...mutants)), entries);

describe('the mutation score', () => {
  it('is enough at 90 %, if each survivor is argued', () => {
    const { text, passed } = judged([...nineKilled, mutant('Survived')], [{ ...argued, why: 'allowed' }]);
    assert.equal(passed, true);
    assert.match(text, /^all +90\.0 +9 +0 +1 +0$/m);
  });

  it('is refused with a survivor that nobody has argued about, however high it is, and names it', () => {
    const { text, passed } = judged([...nineKilled, mutant('Survived')]);
    assert.equal(passed, false);
    assert.match(text, /^all +90\.0 +9 +1 +0 +0$/m);
    assert.match(text, /^drivers\/sim\/sum\.ts:2 survived: one \+ other => one - other$/m);
  });

  it('is too low below that, be a mutant survived or not covered', () => {
    const entry = { ...argued, why: 'allowed', times: 2 } as const;
    const { text, passed } = judged([...nineKilled, mutant('Survived'), mutant('NoCoverage')], [entry]);
    assert.equal(passed, false);
    assert.match(text, /^the score is below 90 %/m);
  });

  it('counts a mutant that hangs as killed, and one that the program cannot run with not at all', () => {
    const { text } = judged([mutant('Timeout'), mutant('RuntimeError'), mutant('Survived')]);
    assert.match(text, /^all +50\.0 +1 +1 +0 +0$/m);
  });

  it('leaves out a survivor that is argued as equivalent', () => {
    const { text } = judged([mutant('Killed'), mutant('Survived')], [argued]);
    assert.match(text, /^all +100\.0 +1 +0 +0 +1$/m);
    assert.doesNotMatch(text, /survived:/);
  });

  it('counts a survivor that is argued as allowed', () => {
    const { text, passed } = judged([mutant('Killed'), mutant('Survived')], [{ ...argued, why: 'allowed' }]);
    assert.match(text, /^all +50\.0 +1 +0 +1 +0$/m);
    assert.equal(passed, false);
  });

  it('reports what it would be without the survivors that the pages allow', () => {
    const { text } = judged([...nineKilled, mutant('Survived')], [{ ...argued, why: 'allowed' }]);
    assert.match(text, /^all +90\.0 /m);
    assert.match(text, /^100\.0 % without the mutants that differ as the pages allow$/m);
  });

  it('is refused with an entry that argues about none, or about another number of mutants', () => {
    for (const mutants of [nineKilled, [...nineKilled, mutant('Survived'), mutant('Survived')]]) {
      const { text, passed } = judged(mutants, [argued]);
      assert.equal(passed, false);
      assert.match(text, /is argued 1 times and has survived [02] times; fix its entry$/m);
    }
    assert.equal(
      judged([...nineKilled, mutant('Survived'), mutant('Survived')], [{ ...argued, times: 2 }]).passed,
      true,
    );
  });

  it('is too low where nothing was mutated', () => {
    assert.equal(judged([]).passed, false);
  });

  it('says nothing of entries of files that were not mutated', () => {
    assert.equal(judged(nineKilled, [{ ...argued, file: 'drivers/sim/other.ts' }]).passed, true);
  });
});

describe('the argued mutants', () => {
  it('keep their schema, and begin in lines that there are', () => {
    for (const { file, line, code, replacement } of readArgued(join(__dirname, 'argued.json'))) {
      const lines = readFileSync(join(__dirname, '..', '..', file), 'utf8').split('\n');
      const found = lines.some((text) => text.trim() === line);
      assert.ok(
        found,
        `${file} has no line "${line}", of which ${code} => ${replacement} is argued: run npm run mutate`,
      );
    }
  });
});
