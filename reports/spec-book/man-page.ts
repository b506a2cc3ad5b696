/** A stretch of text in one typeface. */
export interface Run {
  readonly text: string;
  readonly face: 'plain' | 'bold' | 'italic';
}

/** A sentence of a page, or a line of its code: what a clause can stand on. */
export interface Sentence {
  /** Fingerprint of its words; `-2`, `-3` and so on follow where the page says the same again. */
  readonly id: string;
  readonly runs: readonly Run[];
}

/** A paragraph, the term of a definition, or code, whose sentences are its lines. */
export interface Block {
  readonly kind: 'text' | 'term' | 'code';
  /** How far it is indented: the lists that it stands in. */
  readonly depth: number;
  readonly sentences: readonly Sentence[];
}

/** What stands under a heading of a page. */
export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A man page as it was installed. */
export interface ManPage {
  /** Without its section number: `ibv_poll_cq`. */
  readonly name: string;
  readonly sections: readonly Section[];
}

/** All sentences of a page in their order, each with the section that it stands in. */
export function sentencesOf({ sections }: ManPage): (Sentence & { readonly section: string })[] {
  return sections.flatMap(({ title, blocks }) =>
    blocks.flatMap(({ sentences }) => sentences.map((sentence) => ({ ...sentence, section: title }))),
  );
}

/** The text of runs, without their faces. */
export function textOfRuns(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}
