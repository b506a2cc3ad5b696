import { basename } from 'node:path';
import { failing, type ScenarioVerdict } from '../../catalog/verdict';
import type { FailedScenario } from '../diagnosis/causes';
import { shellWord } from '../evidence/again';
import { traceName } from '../evidence/evidence';
import { againField, fieldsOf, listedFields } from '../evidence/explain';
import type { JudgedScenario } from '../judge/judged-run';
import { callsByStep, callsInC, type CallsInC } from './call-groups';
import { diagramOf } from './diagram';
import { layOut, type DiagramLayout } from './diagram-layout';
import type { PageInput } from './page-input';

/** A scenario that did not pass. */
export interface ScenarioView {
  readonly anchor: string;
  readonly name: string;
  readonly place: string;
  readonly verdict: ScenarioVerdict;
  /** The number of its cause. */
  readonly cause?: number;
  /** What went wrong, as headed fields. */
  readonly findings: readonly (readonly (readonly [string, string])[])[];
  readonly commands: readonly (readonly [string, string])[];
  readonly deviation?: DeviationView;
  /** There for some of them, as all would be much. */
  readonly evidence?: Evidence;
  /** The file with its calls. */
  readonly traceFile?: string;
}

/** Why a deviation is known. */
export interface DeviationView {
  readonly reason: string;
  readonly link: string;
  /** Only what a browser fetches is a link on the page. */
  readonly isWebLink: boolean;
  readonly owner: string;
}

/** What the scenario did. */
export interface Evidence {
  readonly diagram: DiagramLayout;
  readonly calls: readonly CallsInC[];
}

/** Whether a scenario is shown at length: it fails the run, is broken, or deviates as listed. */
export function isTold({ verdict }: JudgedScenario): boolean {
  return failing.has(verdict) || verdict === 'broken' || verdict === 'deviates';
}

/** The anchor of a scenario on the page. */
export function anchorOf({ uri, line }: Pick<FailedScenario, 'uri' | 'line'>): string {
  return `${basename(uri, '.feature')}-${line}`.replace(/[^\w-]/g, '_');
}

/** @param cause - the number of its cause */
export function scenarioView(
  scenario: JudgedScenario,
  { judged, folder, files }: PageInput,
  cause: number | undefined,
  withEvidence: boolean,
): ScenarioView {
  const { recorded, outcome, verdict, match, detail } = scenario;
  const place = `${recorded.uri}:${recorded.line}`;
  const traceFile = `trace/${traceName(recorded)}.txt`;
  const told = outcome.findings.filter((finding) => finding.verdict !== 'not-applicable').map(fieldsOf);
  const listed = listedFields(scenario);
  return {
    anchor: anchorOf(recorded),
    name: recorded.name,
    place,
    verdict,
    ...(cause !== undefined && { cause }),
    findings: [
      ...(told.length === 0 && detail !== undefined ? [[['Says', detail] as const]] : told),
      ...(listed.length === 0 ? [] : [listed]),
    ],
    commands: [
      ...againField(scenario, judged.recording.info),
      ['As C', ['npx verbspec reproduce', ...[folder, place].map(shellWord)].join(' ')],
    ],
    ...(match && { deviation: deviationView(match.deviation) }),
    ...(withEvidence && evidenceOf(scenario)),
    ...(files.includes(traceFile) && { traceFile }),
  };
}

function deviationView({ reason, link, owner }: Omit<DeviationView, 'isWebLink'>): DeviationView {
  return { reason, link, isWebLink: /^https?:\/\//.test(link), owner };
}

function evidenceOf(scenario: JudgedScenario): Pick<ScenarioView, 'evidence'> {
  const calls = callsByStep(scenario);
  if (calls.groups.every((group) => group.calls.length === 0)) return {};
  return { evidence: { diagram: layOut(diagramOf(calls.groups, calls.trace)), calls: callsInC(calls) } };
}
