import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HarnessError } from '../../drivers/contract';
import { manHtml } from '../fixtures/man-pages';
import { parseManHtml } from './man-html';
import { sentencesOf, textOfRuns } from './man-page';

const page = parseManHtml(manHtml, 'ibv_poll_cq');
const sentences = sentencesOf(page);

function saying(text: string): { id: string; section: string }[] {
  return sentences.filter(({ runs }) => textOfRuns(runs) === text);
}

describe('a page that mandoc has rendered', () => {
  it('has its sections, and nothing of the lines above and below them', () => {
    assert.deepEqual(
      page.sections.map(({ title }) => title),
      ['NAME', 'SYNOPSIS', 'DESCRIPTION'],
    );
    assert.ok(!sentences.some(({ runs }) => /Manual|2026/.test(textOfRuns(runs))));
  });

  it('has sentences, lines of paragraphs, terms and what they mean', () => {
    const texts = sentences.filter(({ section }) => section === 'DESCRIPTION').map(({ runs }) => textOfRuns(runs));
    assert.deepEqual(texts, [
      'milk() fills a bucket, e.g. the blue one.',
      'It returns -1 for a bull.',
      'Is it full?',
      'See below.',
      'A first line',
      'A second line',
      'HORN',
      'Keep away.',
      'It returns -1 for a bull.',
    ]);
  });

  it('has code by statements: a declaration in two lines is one, a brace belongs to the line before', () => {
    const texts = sentences.filter(({ section }) => section === 'SYNOPSIS').map(({ runs }) => textOfRuns(runs));
    assert.deepEqual(texts, [
      '#include <cow.h>',
      'int milk(struct cow *cow,\n         int litres);',
      'struct cow {',
      'int legs;   /* how many (four, as a rule) */\n};',
    ]);
  });

  it('keeps typefaces, also where a sentence is cut out of them', () => {
    assert.deepEqual(sentences.find(({ runs }) => textOfRuns(runs).startsWith('milk()'))?.runs, [
      { text: 'milk()', face: 'bold' },
      { text: ' fills a bucket, e.g. the ', face: 'plain' },
      { text: 'blue', face: 'italic' },
      { text: ' one.', face: 'plain' },
    ]);
  });

  it('distinguishes what it says twice', () => {
    const [first, second] = saying('It returns -1 for a bull.');
    assert.equal(second?.id, `${first?.id}-2`);
  });

  it('knows how far a block is indented', () => {
    const depths = page.sections.at(-1)?.blocks.map(({ kind, depth }) => `${kind} ${depth}`);
    assert.deepEqual(depths, ['text 0', 'text 0', 'text 0', 'term 0', 'text 1', 'text 1']);
  });

  it('is refused where there is none, or no HTML', () => {
    for (const html of ['', '<p>no section</p>', '<p class=', '<<<']) {
      assert.throws(
        () => parseManHtml(html, 'ibv_poll_cq'),
        (error) => error instanceof HarnessError && !error.message.includes('\n'),
      );
    }
  });
});
