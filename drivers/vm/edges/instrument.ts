import { appendFileSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../contract';
import { mapBytes } from './edge-map';
import { edgeListText, edgeSection } from './edge-list';
import { marksOf } from './marks';
import { functionsOf } from './places';

const stub = 'verbspec_edges';

/**
 * What makes the compiler mark each block of code, and keeps all code in one section with calls that return: by its
 * address each block is known.
 */
const flags = [
  '-fsanitize-coverage=trace-pc',
  '-fno-reorder-functions',
  '-fno-reorder-blocks-and-partition',
  '-fno-optimize-sibling-calls',
];

/** A module in the making. */
export interface Build {
  readonly module: string;
  /** Folder of its sources on this machine, where the module comes to lie too. */
  readonly folder: string;
  /** The same folder, as the compiler has it. */
  readonly compiled: string;
  /** Where the compiler runs, a command does. @returns whether it succeeded */
  readonly run: (command: readonly string[]) => boolean;
}

/** Has the sources of a module record their edges: adds to its Makefile, and the code that records. */
export function instrument({ module, folder }: Pick<Build, 'module' | 'folder'>): void {
  copyFileSync(join(__dirname, `${stub}.c`), join(folder, `${stub}.c`));
  appendFileSync(join(folder, 'Makefile'), makefileLines(module));
}

/** The recording comes first, so that all that is recorded lies after it. */
function makefileLines(module: string): string {
  const lines = [
    `ccflags-y += ${flags.join(' ')}`,
    `CFLAGS_REMOVE_${stub}.o := ${flags.join(' ')}`,
    `${module}-y := ${stub}.o $(${module}-y)`,
  ];
  return `\n${lines.join('\n')}\n`;
}

/**
 * Lists the edges of a module that was compiled so, and has still its debug information.
 *
 * @returns the text to put into it with {@link putList}
 * @throws HarnessError if that cannot be done
 */
export function listEdges({ module, folder, compiled, run }: Build): string {
  const marks = marksOf(readFileSync(join(folder, `${module}.ko`)), mapBytes);
  writeFileSync(join(folder, 'calls'), marks.map(({ call }) => `0x${call.toString(16)}\n`).join(''));
  const places = `cd '${compiled}' && addr2line -e '${module}.ko' -j .text -a -f -i <calls >places`;
  if (!run(['sh', '-c', places]))
    throw new HarnessError(`the lines of ${module} cannot be found; a line above says why`);
  const sources = readdirSync(folder).filter((name) => /\.[ch]$/.test(name));
  const texts = sources.map((name) => readFileSync(join(folder, name), 'utf8'));
  return edgeListText(functionsOf(marks, readFileSync(join(folder, 'places'), 'utf8'), { folder: compiled, texts }));
}

/** Puts the list into the module, once nothing else changes that. */
export function putList(list: string, { module, folder, compiled, run }: Build): void {
  writeFileSync(join(folder, 'edges.json'), list);
  const add = ['objcopy', '--add-section', `${edgeSection}=${compiled}/edges.json`, `${compiled}/${module}.ko`];
  if (!run(add)) throw new HarnessError(`the edges cannot be put into ${module}; a line above says why`);
}
