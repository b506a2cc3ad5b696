import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { loadClauses } from '../../catalog/clauses';
import type { PageTies } from '../../catalog/ties';
import { PlantedProject, soundClauses } from '../fixtures/planted-project';
import { lineOf } from './finding';
import { sentenceFindings } from './lint-sentences';

const file = 'features/cq/ibv_poll_cq.sentences.json';
const [first, second, third] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'];

let project: PlantedProject;

beforeEach(() => {
  project = new PlantedProject();
});

afterEach(() => {
  project.remove();
});

/** The ties of ibv_poll_cq, with nothing to find, except for the change. */
function tie(change: Partial<PageTies>): void {
  const ties: PageTies = {
    edition: '65',
    sentences: [
      { fingerprint: first, sketch: '', clauses: ['ibv_poll_cq.fifo', 'ibv_poll_cq.overrun'] },
      { fingerprint: second, sketch: '' },
    ],
    ...change,
  };
  project.writeData('ibv_poll_cq', 'sentences', ties);
}

/** Demands just these findings, each given by what is in it. */
function assertFindings(...expected: RegExp[]): void {
  const clauses = loadClauses(`${project.folder}/features`);
  const lines = sentenceFindings(project.folder, clauses).map(lineOf);
  assert.equal(lines.length, expected.length, lines.join('\n'));
  for (const [index, line] of lines.entries()) assert.match(line, expected[index] ?? /^$/);
}

describe('the lint of sentences', () => {
  it('has nothing against clauses that are all tied', () => {
    tie({});
    assertFindings();
  });

  it('reports clauses that stand on no sentence', () => {
    tie({ sentences: [{ fingerprint: first, sketch: '', clauses: ['ibv_poll_cq.fifo'] }] });
    assertFindings(
      /^features\/cq\/ibv_poll_cq\.sentences\.json:1: clause ibv_poll_cq\.overrun stands on no sentence; tie it/,
    );
  });

  it('reports clauses of the page that no sentence of it says', () => {
    const sentences = [{ fingerprint: first, sketch: '', clauses: ['ibv_poll_cq.fifo'] }];
    tie({ sentences, elsewhere: [{ clauses: ['ibv_poll_cq.overrun'], reason: 'x' }] });
    assertFindings(
      /sentences\.json:\d+: clause ibv_poll_cq\.overrun stands on no sentence, and its authority is the page;/,
    );
    const [fifo, overrun] = soundClauses.ibv_poll_cq;
    project.writeData('ibv_poll_cq', 'clauses', [fifo, { ...overrun, authority: 'ibta', ibta: '11.6.2' }]);
    assertFindings();
  });

  it('reports clauses and pages that are not known', () => {
    tie({ elsewhere: [{ clauses: ['ibv_poll_cq.lifo'], reason: 'x' }] });
    assertFindings(/sentences\.json:\d+: there is no clause ibv_poll_cq\.lifo;/);
    tie({});
    project.writeData('ibv_milk', 'sentences', { edition: '65', sentences: [{ fingerprint: first, sketch: '' }] });
    assertFindings(/ibv_milk\.sentences\.json:\d+: no clause belongs to the page ibv_milk; remove the file/);
  });

  it('reports a page that has clauses and no sentences', () => {
    rmSync(`${project.folder}/${file}`);
    assertFindings(/ibv_poll_cq\.clauses\.json:1: .*; `verbspec tie ibv_poll_cq` writes features\/cq\/ibv_poll_cq\.s/);
  });

  it('reports sentences that are there twice, or have both clauses and a note', () => {
    const sentence = { fingerprint: first, sketch: '', clauses: ['ibv_poll_cq.fifo', 'ibv_poll_cq.overrun'] };
    tie({ sentences: [sentence, { fingerprint: first, sketch: '' }] });
    assertFindings(/the sentence aaaaaaaaaaaa is listed twice; remove one/);
    tie({ sentences: [{ ...sentence, note: 'heading' }] });
    assertFindings(/clauses stand on aaaaaaaaaaaa, and a note says none is to/);
  });

  it('reports acknowledgements of what cannot be', () => {
    const common = { editions: '<65', reason: 'x' };
    tie({ acknowledged: [{ ...common, change: 'changed', fingerprint: third, of: second }] });
    assertFindings();
    tie({ acknowledged: [{ ...common, change: 'changed', fingerprint: third }] });
    assertFindings(/"of" goes with "changed" and nothing else/);
    tie({ acknowledged: [{ ...common, change: 'gone', fingerprint: third }] });
    assertFindings(/there is no sentence cccccccccccc; fix/);
    tie({ acknowledged: [{ ...common, change: 'new', fingerprint: second }] });
    assertFindings(/bbbbbbbbbbbb is a sentence of the page, and no news/);
    tie({ acknowledged: [{ ...common, change: 'new', fingerprint: third, editions: 'old' }] });
    assertFindings(/old.*fix the acknowledgement/);
    tie({ acknowledged: [{ ...common, change: 'new', fingerprint: third, reason: 'TODO' }] });
    assertFindings(/say what the sentence cccccccccccc means for them/);
  });
});
