import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Causes } from '../diagnosis/causes';
import type { JudgedRun } from '../judge/judged-run';
import { withOutput } from './case-output';
import { casesOf } from './cases';
import { junitXml } from './junit';
import { ktap } from './ktap';

/** Writes a run as CI systems read it, `junit.xml`, and as kernel CI does, `results.ktap`. */
export function writeCiFormats(judged: JudgedRun, { causes }: Causes, folder: string): void {
  const { verdicts, problems } = judged;
  const cases = withOutput(casesOf(verdicts, problems), judged);
  writeFileSync(join(folder, 'junit.xml'), junitXml(cases, verdicts, causes));
  writeFileSync(join(folder, 'results.ktap'), ktap(cases));
}
