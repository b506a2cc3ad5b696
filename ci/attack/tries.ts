import { commandLines } from './areas/command-lines';
import { drivers } from './areas/drivers';
import { inputFiles } from './areas/input-files';
import { optionValues } from './areas/option-values';
import { outFolders } from './areas/out-folders';
import { outputPaths } from './areas/output-paths';
import type { Area, ListedTry } from './try';

const areas: readonly Area[] = [commandLines, optionValues, inputFiles, outputPaths, outFolders, drivers];

/** All tries, area by area. */
export function allTries(): ListedTry[] {
  return areas.flatMap(({ area, tries }) => tries.map((one) => ({ ...one, area })));
}
