import { caches } from './areas/caches';
import { commandLines } from './areas/command-lines';
import { cucumber } from './areas/cucumber';
import { deviations } from './areas/deviations';
import { disks } from './areas/disks';
import { drivers } from './areas/drivers';
import { environment } from './areas/environment';
import { farSide } from './areas/far-side';
import { inputFiles } from './areas/input-files';
import { kills } from './areas/kills';
import { optionValues } from './areas/option-values';
import { outFolders } from './areas/out-folders';
import { outputPaths } from './areas/output-paths';
import { recordedResults } from './areas/recorded-results';
import { redaction } from './areas/redaction';
import { allureResults } from './areas/allure-results';
import { earlierResults } from './areas/earlier-results';
import { hostNames } from './areas/host-names';
import { usersAndPrograms } from './areas/users-and-programs';
import type { Area, ListedTry } from './try';

const areas: readonly Area[] = [
  commandLines,
  optionValues,
  inputFiles,
  outputPaths,
  outFolders,
  earlierResults,
  drivers,
  farSide,
  hostNames,
  kills,
  disks,
  deviations,
  recordedResults,
  allureResults,
  redaction,
  cucumber,
  environment,
  usersAndPrograms,
  caches,
];

/** All tries, area by area. */
export function allTries(): ListedTry[] {
  return areas.flatMap(({ area, tries }) => tries.map((one) => ({ ...one, area })));
}
