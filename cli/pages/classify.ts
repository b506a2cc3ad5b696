import type { ClauseLevel } from '../../catalog/clauses';
import type { TiedSentence } from '../../catalog/ties';
import { textOfRuns, type Block, type ManPage, type Sentence } from '../../reports/spec-book/man-page';

type Note = NonNullable<TiedSentence['note']>;

/** A sentence of a page with what is known of it without its meaning. */
export interface ClassifiedSentence {
  readonly id: string;
  readonly section: string;
  /** Number of the sentence within its section, from 1. */
  readonly position: number;
  readonly text: string;
  /** Why no clause is to stand on it, where its place or shape says so. */
  readonly note?: Note;
  /** How binding it is, by its auxiliary verbs. */
  readonly level: ClauseLevel;
}

/** Sections in which no sentence says what a verb does. */
const silentSections: readonly (readonly [RegExp, Note])[] = [
  [/^NAME$/, 'name'],
  [/^SEE ALSO$/, 'see-also'],
  [/^AUTHORS?$/, 'author'],
];

/** The sentences of a page in their order. */
export function classify({ sections }: ManPage): ClassifiedSentence[] {
  return sections.flatMap(({ title, blocks }) => {
    const sentences = blocks.flatMap((block) => block.sentences.map((sentence) => ({ block, sentence })));
    return sentences.map(({ block, sentence }, index) => ofSentence(title, block, sentence, index + 1));
  });
}

function ofSentence(section: string, block: Block, { id, runs }: Sentence, position: number): ClassifiedSentence {
  const text = textOfRuns(runs).replace(/\s+/g, ' ').trim();
  const note = noteOf(section, block, text);
  return { id, section, position, text, level: levelOf(section, text), ...(note && { note }) };
}

function noteOf(section: string, { kind }: Block, text: string): Note | undefined {
  const silent = silentSections.find(([title]) => title.test(section));
  if (silent) return silent[1];
  if (kind === 'code') return noteOfCode(section, text);
  if (/^\d+\.$/.test(text)) return 'list-number';
  if (!text.endsWith(':')) return undefined;
  return text.split(' ').length > headingWordsMax ? 'introduction' : 'heading';
}

const headingWordsMax = 3;

function noteOfCode(section: string, text: string): Note | undefined {
  if (text.startsWith('#include')) return 'header';
  if (/^EXAMPLES?$/.test(section)) return 'example-code';
  return text.endsWith('{') || text.startsWith('}') ? 'declaration' : undefined;
}

function levelOf(section: string, text: string): ClauseLevel {
  if (section === 'SYNOPSIS' || /^EXAMPLES?$/.test(section)) return 'info';
  if (/\b(?:must|shall|cannot)\b/i.test(text)) return 'must';
  if (/\b(?:should|recommended)\b/i.test(text)) return 'should';
  return /\b(?:may|might|can|optional|optionally)\b/i.test(text) ? 'may' : 'must';
}
