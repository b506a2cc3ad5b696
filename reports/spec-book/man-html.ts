import { create } from 'xmlbuilder2';
import { HarnessError } from '../../drivers/contract';
import { oneLine } from '../../catalog/plain-text';
import { fingerprintOf } from '../../catalog/fingerprint';
import { textOfRuns, type Block, type ManPage, type Run, type Section } from './man-page';
import { splitCode, splitSentences } from './split';

/** What is used of a node of the parsed page. */
interface Node {
  readonly nodeName: string;
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: Iterable<Node>;
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>;
}

/** A block that is not split into sentences yet. */
interface RawBlock {
  readonly kind: Block['kind'] | 'heading';
  readonly depth: number;
  readonly runs: readonly Run[];
}

const textNode = 3;
const faces: Readonly<Record<string, Run['face']>> = { b: 'bold', strong: 'bold', i: 'italic', em: 'italic' };
const containers = new Set(['section', 'div', 'dl', 'dd', 'ul', 'ol', 'li', 'table', 'tbody', 'blockquote', 'page']);
const kinds: Readonly<Record<string, RawBlock['kind']>> = {
  p: 'text',
  tr: 'text',
  dt: 'term',
  pre: 'code',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
};

/**
 * Reads what `mandoc -T html -O fragment` makes of a man page.
 *
 * @param name - of the page, without its section number
 * @throws {@link HarnessError} when there is no page in it
 */
export function parseManHtml(html: string, name: string): ManPage {
  const blocks = [...rawBlocks(parse(html, name), 0)].filter(({ runs }) => textOfRuns(runs).trim() !== '');
  const sections = sectionsOf(blocks);
  if (sections.length === 0) throw new HarnessError(`the man page ${name} has no section`, 'reinstall libibverbs-dev');
  return { name, sections };
}

function parse(html: string, name: string): Node {
  const xml = `<page>${html.replaceAll('&nbsp;', '&#160;')}</page>`;
  try {
    return create({ skipWhitespaceOnlyText: false }, xml).root().node;
  } catch (error) {
    const why = oneLine(error instanceof Error ? error.message : String(error));
    throw new HarnessError(`the HTML of the man page ${name} cannot be read: ${why}`, 'reinstall mandoc');
  }
}

/** Blocks in their order. Text that stands beside blocks is a paragraph of its own. */
function* rawBlocks(parent: Node, depth: number): Generator<RawBlock> {
  let loose: Run[] = [];
  for (const node of parent.childNodes) {
    const kind = kinds[node.nodeName];
    if (kind === undefined && !containers.has(node.nodeName) && node.nodeName !== 'br') {
      loose.push(...runsOf(node, 'plain'));
      continue;
    }
    yield { kind: 'text', depth, runs: loose };
    loose = [];
    if (kind !== undefined) yield* linesOf({ kind, depth, runs: runsOf(node, 'plain') });
    else if (!isFrame(node)) yield* rawBlocks(node, depth + (['dd', 'li'].includes(node.nodeName) ? 1 : 0));
  }
  yield { kind: 'text', depth, runs: loose };
}

/** The lines above and below a page that carry its name, manual and date. */
function isFrame({ attributes = [] }: Node): boolean {
  return [...attributes].some(({ name, value }) => name === 'class' && ['head', 'foot'].includes(value));
}

/** A line break inside of a paragraph begins another. */
function linesOf(block: RawBlock): RawBlock[] {
  if (block.kind === 'code') return [block];
  const lines: Run[][] = [[]];
  for (const run of block.runs) {
    if (run.text === lineBreak) lines.push([]);
    else lines.at(-1)?.push(run);
  }
  return lines.map((runs) => ({ ...block, runs }));
}

const lineBreak = '\n\n';

function runsOf(node: Node, face: Run['face']): Run[] {
  if (node.nodeType === textNode) return [{ text: node.textContent ?? '', face }];
  if (node.nodeName === 'br') return [{ text: lineBreak, face }];
  const inner = [...node.childNodes].flatMap((child) => runsOf(child, faces[node.nodeName] ?? face));
  return node.nodeName === 'td' ? [...inner, { text: ' ', face }] : inner;
}

function sectionsOf(blocks: readonly RawBlock[]): Section[] {
  const name = countingIds();
  const sections: { title: string; blocks: Block[] }[] = [];
  for (const { kind, depth, runs } of blocks) {
    if (kind === 'heading') sections.push({ title: textOfRuns(collapsed(runs)).trim(), blocks: [] });
    else {
      const parts = kind === 'code' ? splitCode(runs) : splitSentences(collapsed(runs));
      const sentences = parts.map((part) => ({ id: name(fingerprintOf(textOfRuns(part))), runs: part }));
      sections.at(-1)?.blocks.push({ kind, depth, sentences });
    }
  }
  return sections;
}

/** Tells sentences apart that say the same: their ids count on. */
function countingIds(): (fingerprint: string) => string {
  const seen = new Map<string, number>();
  return (fingerprint) => {
    const count = (seen.get(fingerprint) ?? 0) + 1;
    seen.set(fingerprint, count);
    return count === 1 ? fingerprint : `${fingerprint}-${count}`;
  };
}

/** White space within a paragraph is one blank, also where it goes on in another typeface. */
function collapsed(runs: readonly Run[]): Run[] {
  let endsInBlank = true;
  return runs.flatMap(({ text, face }) => {
    const single = text.replace(/\s+/g, ' ');
    const kept = endsInBlank ? single.trimStart() : single;
    if (kept === '') return [];
    endsInBlank = kept.endsWith(' ');
    return [{ text: kept, face }];
  });
}
