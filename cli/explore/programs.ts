import { join } from 'node:path';
import type { Dut } from '../../drivers/contract';
import { exhaustive, exhaustiveCount } from '../../drivers/explore/generate/exhaustive';
import type { Aim } from '../../drivers/explore/generate/aim';
import { notifiesAsAny } from '../../drivers/explore/generate/avoided';
import { goesAround } from '../../drivers/explore/generate/detours';
import { generate } from '../../drivers/explore/generate/generate';
import { anySizes, type Sizes } from '../../drivers/explore/generate/sizes';
import { mutated } from '../../drivers/explore/generate/mutate';
import { makesSense } from '../../drivers/explore/sound';
import { programOf, checkedProgram } from '../../drivers/programs/check-program';
import { programLimits, type Program } from '../../drivers/programs/program';
import { namesIn } from '../../drivers/support/files';
import { UsageError } from '../../drivers/contract';
import { readNamedFile } from '../inputs/read-file';

/** Of so many programs one is a changed one of the corpus, and one of the small scope. */
const shareOfOthers = 10;

/** What programs are made around, and what they head for. */
export interface Course {
  /** Clauses that a device does not keep. */
  readonly avoided: ReadonlySet<string>;
  /** What its queues take; whatever programs ask for, unless given. */
  readonly sizes?: Sizes | undefined;
  /** Without it, all is left to chance. */
  readonly aim?: Aim;
}

/** The next program: most are written anew, some are changed ones of the corpus, some are of the small scope. */
export async function programAt(
  seed: number,
  index: number,
  dut: Pick<Dut, 'capabilities'>,
  { avoided, sizes = anySizes, aim }: Course,
  corpus: readonly Program[],
): Promise<Program> {
  const { capabilities } = dut;
  if (index % shareOfOthers === 3) {
    const changed = mutated(corpus, seed, index);
    if (changed !== undefined && goesAround(changed, avoided) && (await makesSense(changed))) return changed;
  }
  const isWhole = capabilities.includes('cq-notifications') && capabilities.includes('connection');
  const isOrdinary = capabilities.includes('arm-ignores-backlog') && capabilities.includes('arm-before-get');
  if (index % shareOfOthers === 7 && isWhole && isOrdinary && notifiesAsAny(avoided)) {
    return exhaustive(
      (seed * 7919 + Math.floor(index / shareOfOthers) * 104_729) % exhaustiveCount,
      capabilities,
      undefined,
      sizes,
    );
  }
  return generate({ seed, capabilities, avoided, sizes, ...(aim && isAimed(index) && { aim }) }, index);
}

/** Every other program heads for what the ones before have met least. */
const isAimed = (index: number): boolean => index % 2 === 1;

/** The program of a file, which may be a finding. @throws UsageError */
export function readProgram(path: string): Program {
  const text = readNamedFile(path, 16 * programLimits.bytes);
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null && 'program' in data) return checkedProgram(data.program);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${path}: ${error.message}`);
  }
  try {
    return programOf(text);
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
}

/** The programs of a corpus in the order of their names. @throws UsageError that names the file that is none */
export function readCorpus(folder: string): Program[] {
  const names = namesIn(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => readProgram(join(folder, name)));
}
