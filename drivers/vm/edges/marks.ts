import { HarnessError } from '../../contract';
import { relocationsOf, sectionIndex, sectionOf, symbolsOf } from '../kernels/elf';

/** The function that the compiler has each block call; see verbspec_edges.c. */
const marker = '__sanitizer_cov_trace_pc';
/** The section that is counted. What runs at the load and at the removal of the module is in others, and is left out. */
const section = '.text';
const callOpcode = 0xe8;
/** R_X86_64_PLT32: a call or a jump, and no use of the address. */
const ofBranch = 4;
/** Bytes of the address in a call. */
const addressBytes = 4;

/** A block that the compiler has marked. */
export interface Mark {
  /** Bytes from the marker to where the call of it returns, which is what it records. */
  readonly at: number;
  /** Address of that call in its section, by which the debug information knows it. */
  readonly call: number;
}

/**
 * The marked blocks of a module, in the order of their addresses.
 *
 * @param limit - what is recorded has a smaller {@link Mark.at}
 * @throws HarnessError if one could not be recorded
 */
export function marksOf(image: Buffer, limit: number): readonly Mark[] {
  const index = sectionIndex(image, section);
  const anchor = symbolsOf(image).find((symbol) => symbol.name === marker && symbol.section === index);
  const code = sectionOf(image, section);
  if (anchor === undefined || code === undefined) throw new HarnessError(`the module has no ${marker}`);
  const marks = relocationsOf(image, section)
    .filter(({ name, type }) => name === marker && type === ofBranch)
    .map(({ at }) => {
      if (code[at - 1] !== callOpcode)
        throw new HarnessError(`at ${at} the code jumps to ${marker} and does not return`);
      return { at: at + addressBytes - anchor.value, call: at - 1 };
    });
  const beyond = marks.find(({ at }) => at <= 0 || at >= limit);
  if (beyond !== undefined) throw new HarnessError(`a block at ${beyond.call} is out of the ${limit} bytes of the map`);
  return marks.sort((a, b) => a.at - b.at);
}
