import { HarnessError, type FunctionEdges } from '../../contract';
import type { Mark } from './marks';

/** Where the headers of a kernel are. */
const headers = /^.*\/(?=include\/)/;

/** A function that an address is in, and the line that it is at there. */
interface Frame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** The sources of a module. */
export interface Sources {
  /** Their folder, as the debug information has it. */
  readonly folder: string;
  readonly texts: readonly string[];
}

/**
 * Says of each marked block which function of the module it is in.
 *
 * @param marks - in the order in which addr2line was asked
 * @param output - what `addr2line -a -f -i` says of their calls: of each the innermost of inlined functions first
 * @throws HarnessError if it says nothing of one of them
 */
export function functionsOf(marks: readonly Mark[], output: string, sources: Sources): readonly FunctionEdges[] {
  const answers = framesIn(output);
  const own = definedIn(sources.texts);
  const functions = new Map<string, { readonly file: string; readonly name: string; edges: FunctionEdges['edges'] }>();
  for (const [index, { at }] of marks.entries()) {
    const frame = ownFrame(answers[index] ?? [], own, sources.folder);
    const file = within(frame.file, sources.folder) ?? frame.file.replace(headers, '');
    const key = `${file} ${frame.name}`;
    const { edges } = functions.get(key) ?? { edges: [] };
    functions.set(key, { file, name: frame.name, edges: [...edges, { at, line: frame.line }] });
  }
  return [...functions.values()].sort((a, b) => compare(a.file, b.file) || firstLine(a) - firstLine(b));
}

/**
 * Of functions of the kernel that are inlined the caller counts. At the innermost frame the line may already be that of
 * the caller, so that its file alone says nothing.
 */
function ownFrame(frames: readonly Frame[], own: ReadonlySet<string>, folder: string): Frame {
  const frame = frames.find(({ name, file }) => own.has(name) && within(file, folder) !== undefined) ?? frames.at(-1);
  if (frame === undefined) throw new HarnessError('addr2line says nothing of a block');
  return frame;
}

/** `0x… ` begins the answer to an address; two lines follow for each frame. */
function framesIn(output: string): readonly (readonly Frame[])[] {
  return output
    .split(/^0x[0-9a-f]+\n/m)
    .slice(1)
    .map((answer) =>
      [...answer.matchAll(/^(.+)\n(.+?):(\d+|\?)(?: \(discriminator \d+\))?$/gm)].map(
        ([, name = '', file = '', line = '']) => ({ name, file, line: Number(line) || 0 }),
      ),
    );
}

/** Names that stand before a parenthesis in a line that is not indented: definitions, as the kernel writes them. */
function definedIn(texts: readonly string[]): ReadonlySet<string> {
  const lines = texts.flatMap((text) => [...text.matchAll(/^[A-Za-z_][^(\n]*?(\w+)\(/gm)]);
  return new Set(lines.flatMap(([, name]) => name ?? []));
}

function within(file: string, folder: string): string | undefined {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : undefined;
}

function firstLine({ edges }: FunctionEdges): number {
  return Math.min(...edges.map(({ line }) => line));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
