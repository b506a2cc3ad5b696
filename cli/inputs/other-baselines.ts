import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../drivers/contract';
import { parseBaseline } from '../../reports/gate/baseline';
import type { NamedBaseline } from '../../reports/gate/other-baselines';
import { listBytesMax, readNamedFile } from './read-file';

/** Files that are looked at: the folder may be one with much else. */
const filesMax = 200;

/**
 * The baselines that lie in the folder `others`, or else beside the one that a gate judges by. What is none is passed over.
 *
 * @throws UsageError if `others` is not a folder that has another baseline
 */
export function otherBaselines({ baseline, others }: { baseline: string; others?: string }): NamedBaseline[] {
  const folder = others ?? dirname(baseline);
  const found = filesIn(folder, others !== undefined)
    .filter((path) => realpathSync(path) !== realpathSync(baseline))
    .flatMap(baselineIn);
  if (others !== undefined && found.length === 0) {
    throw new UsageError(`--others ${others} has no other baseline`, 'name a folder of what `gate --update` wrote');
  }
  return found;
}

function filesIn(folder: string, isAsked: boolean): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names
      .sort()
      .slice(0, filesMax)
      .map((name) => join(folder, name))
      .filter((path) => lstatSync(path).isFile());
  } catch (error) {
    if (!isAsked) return [];
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new UsageError(`--others ${folder} cannot be read: ${code}`, 'name a folder of baselines');
  }
}

function baselineIn(path: string): NamedBaseline[] {
  try {
    const text = readNamedFile(path, listBytesMax, path, 'name another folder');
    return [{ name: basename(path, '.json'), baseline: parseBaseline(text, path) }];
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}
