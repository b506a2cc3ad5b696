import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deviation } from '../../catalog/deviations';
import type { JudgedRun, JudgedScenario } from './judged-run';
import { failureIn, type Finding } from './outcome';
import type { Symptom } from '../../catalog/symptom';
import { failing } from '../../catalog/verdict';
import { printableJson } from '../../catalog/plain-text';

/** What a run knows of an entry that would list a failure; conditions, reason, link and owner are its author's. */
export type ListableFailure = Pick<Deviation, 'rule' | 'symptom'> & Required<Pick<Deviation, 'scenario'>>;

/** The failures of a run that no entry lists, each as one would. */
export function listableFailures({ scenarios }: Pick<JudgedRun, 'scenarios'>): ListableFailure[] {
  return scenarios.flatMap((scenario): ListableFailure[] => {
    const [rule] = scenario.clauseIds;
    const symptom = symptomOf(scenario);
    return rule === undefined || symptom === undefined ? [] : [{ rule, scenario: scenario.recorded.name, symptom }];
  });
}

/** Writes `failures.json`, a list of deviations that wants to be completed, if there is anything to list. */
export function writeListableFailures(judged: JudgedRun, folder: string): void {
  const deviations = listableFailures(judged);
  if (deviations.length === 0) return;
  writeFileSync(join(folder, 'failures.json'), `${printableJson({ schemaVersion: 2, deviations }, 2)}\n`);
}

/** What nothing of the DUT is said by cannot be listed. */
function symptomOf({ verdict, unexplained }: JudgedScenario): Deviation['symptom'] | undefined {
  if (!failing.has(verdict)) return undefined;
  const symptoms = unexplained.flatMap(listable);
  return symptoms.length > 1 ? symptoms : symptoms[0];
}

function listable(finding: Finding): Symptom[] {
  switch (finding.verdict) {
    case 'fail':
    case 'blocked':
      return [failureIn(finding)];
    case 'crash':
    case 'hang':
    case 'panic':
      return [finding.verdict];
    case 'pass':
    case 'not-applicable':
    case 'broken':
      return [];
  }
}
