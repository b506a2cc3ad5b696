import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { loadClauses } from '../../catalog/clauses';
import type { PageTies } from '../../catalog/ties';
import { PlantedProject } from '../fixtures/planted-project';
import { lineOf } from './lint';
import { sentenceFindings } from './lint-sentences';

const file = 'features/sentences.json';
const [first, second, third] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'];

let project: PlantedProject;

beforeEach(() => {
  project = new PlantedProject();
});

afterEach(() => {
  project.remove();
});

/** The ties of ibv_poll_cq, with nothing to find, but for the change; the other page's one clause is tied. */
function tie(change: Partial<PageTies>, pages: Readonly<Record<string, PageTies>> = {}): void {
  const polling: PageTies = {
    sentences: [
      { fingerprint: first, sketch: '', clauses: ['ibv_poll_cq.fifo', 'ibv_poll_cq.overrun'] },
      { fingerprint: second, sketch: '' },
    ],
    ...change,
  };
  const resizing: PageTies = {
    sentences: [{ fingerprint: first, sketch: '', note: 'name' }],
    elsewhere: [{ clauses: ['ibv_resize_cq.keeps-cqes'], reason: 'It is known.' }],
  };
  const ties = { edition: '65', pages: { ibv_poll_cq: polling, ibv_resize_cq: resizing, ...pages } };
  project.write(file, JSON.stringify(ties, undefined, 1));
}

/** Demands just these findings, each given by what is in it. */
function assertFindings(...expected: RegExp[]): void {
  const clauses = loadClauses(`${project.folder}/features/clauses.json`);
  const lines = sentenceFindings(project.folder, clauses).map(lineOf);
  assert.equal(lines.length, expected.length, lines.join('\n'));
  for (const [index, line] of lines.entries()) assert.match(line, expected[index] ?? /^$/);
}

describe('the lint of sentences', () => {
  it('has nothing against clauses that are all tied', () => {
    tie({});
    assertFindings();
  });

  it('tells clauses that stand on no sentence', () => {
    tie({ sentences: [{ fingerprint: first, sketch: '', clauses: ['ibv_poll_cq.fifo'] }] });
    assertFindings(/^features\/sentences\.json:1: clause ibv_poll_cq\.overrun stands on no sentence; tie it/);
  });

  it('tells clauses and pages that are not known', () => {
    tie({ elsewhere: [{ clauses: ['ibv_poll_cq.lifo'], reason: 'x' }] });
    assertFindings(/sentences\.json:\d+: there is no clause ibv_poll_cq\.lifo;/);
    tie({}, { ibv_milk: { sentences: [{ fingerprint: first, sketch: '' }] } });
    assertFindings(/sentences\.json:\d+: no clause is of the page ibv_milk; take it out/);
  });

  it('tells sentences that are there twice, or have both clauses and a note', () => {
    const sentence = { fingerprint: first, sketch: '', clauses: ['ibv_poll_cq.fifo', 'ibv_poll_cq.overrun'] };
    tie({ sentences: [sentence, { fingerprint: first, sketch: '' }] });
    assertFindings(/the sentence aaaaaaaaaaaa is there twice; remove one/);
    tie({ sentences: [{ ...sentence, note: 'heading' }] });
    assertFindings(/clauses stand on aaaaaaaaaaaa, and a note says none is to/);
  });

  it('tells acknowledgements of what cannot be', () => {
    const common = { editions: '<65', reason: 'x' };
    tie({ acknowledged: [{ ...common, change: 'changed', fingerprint: third, of: second }] });
    assertFindings();
    tie({ acknowledged: [{ ...common, change: 'changed', fingerprint: third }] });
    assertFindings(/"of" goes with "changed" and nothing else/);
    tie({ acknowledged: [{ ...common, change: 'gone', fingerprint: third }] });
    assertFindings(/there is no sentence cccccccccccc; mend/);
    tie({ acknowledged: [{ ...common, change: 'new', fingerprint: second }] });
    assertFindings(/bbbbbbbbbbbb is a sentence of the page, and no news/);
    tie({ acknowledged: [{ ...common, change: 'new', fingerprint: third, editions: 'old' }] });
    assertFindings(/old.*mend the acknowledgement/);
  });
});
