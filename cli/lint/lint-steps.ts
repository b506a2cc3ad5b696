import { basename } from 'node:path';
import type { Envelope, PickleStep, StepDefinition } from '@cucumber/messages';
import { GherkinIndex } from '../../reports/recording/gherkin-index';
import type { LintFinding } from './finding';

/**
 * Steps that lack their one definition, and definitions that no step uses.
 *
 * @param envelopes - messages of a dry run
 * @param isWhole - whether all features were in it; otherwise a definition without a use may have one elsewhere
 */
export function stepFindings(envelopes: readonly Envelope[], isWhole: boolean): LintFinding[] {
  const definitions = new Map(
    envelopes.flatMap(({ stepDefinition }) => (stepDefinition ? [[stepDefinition.id, stepDefinition]] : [])),
  );
  const uses = usesOf(envelopes);
  const used = new Set(uses.flatMap(({ definitionIds }) => definitionIds));
  return [
    ...oneEachLine(uses.flatMap((use) => useFinding(use, definitions))),
    ...envelopes.flatMap(({ undefinedParameterType }) => undefinedParameterType ?? []).map(parameterTypeFinding),
    ...[...definitions.values()].filter(({ id }) => isWhole && !used.has(id)).map(unusedFinding),
  ];
}

/** The rows of an outline repeat what is wrong with its step. */
function oneEachLine(findings: readonly LintFinding[]): LintFinding[] {
  return [...new Map([...findings].reverse().map((finding) => [`${finding.uri}:${finding.line}`, finding])).values()];
}

/** A step of the features and the definitions that match it. */
interface StepUse {
  readonly uri: string;
  readonly line: number;
  readonly text: string;
  readonly definitionIds: readonly string[];
}

/** Each step once, though a Background's are in every scenario. */
function usesOf(envelopes: readonly Envelope[]): StepUse[] {
  const gherkin = new GherkinIndex(envelopes);
  const steps = new Map<string, { readonly uri: string; readonly step: PickleStep }>();
  for (const { pickle } of envelopes) {
    for (const step of pickle?.steps ?? []) steps.set(step.id, { uri: pickle?.uri ?? '', step });
  }
  const uses = new Map<string, StepUse>();
  for (const { pickleStepId = '', stepDefinitionIds } of envelopes.flatMap(
    ({ testCase }) => testCase?.testSteps ?? [],
  )) {
    const found = steps.get(pickleStepId);
    if (found === undefined) continue;
    const { uri, step } = found;
    const line = gherkin.stepOf(step.astNodeIds)?.location.line ?? 1;
    uses.set(`${uri}:${line}:${step.text}`, { uri, line, text: step.text, definitionIds: stepDefinitionIds ?? [] });
  }
  return [...uses.values()];
}

function useFinding(
  { uri, line, text, definitionIds }: StepUse,
  definitions: ReadonlyMap<string, StepDefinition>,
): LintFinding[] {
  if (definitionIds.length === 1) return [];
  const page = basename(uri, '.feature');
  if (definitionIds.length === 0) {
    return [
      { uri, line, page, text: `no step definition matches \`${text}\`; reword the step or define it in steps/` },
    ];
  }
  const places = definitionIds.flatMap((id) => {
    const definition = definitions.get(id);
    return definition ? [placeOf(definition)] : [];
  });
  const where = places.map((place) => `${place.uri}:${place.line}`).join(' and ');
  return [{ uri, line, page, text: `several step definitions match \`${text}\`: ${where}; set their wording apart` }];
}

function unusedFinding(definition: StepDefinition): LintFinding {
  return { ...placeOf(definition), text: `no feature uses this step, \`${definition.pattern.source}\`; remove it` };
}

/** Cucumber passes over a definition with an unknown parameter type, and does not say where it stands. */
function parameterTypeFinding({ name, expression }: { name: string; expression: string }): LintFinding {
  const text = `there is no parameter type {${name}}, which \`${expression}\` uses; define it`;
  return { uri: 'steps/world/parameter-types.ts', line: 1, text };
}

function placeOf({ sourceReference: { uri = 'steps', location } }: StepDefinition): { uri: string; line: number } {
  return { uri, line: location?.line ?? 1 };
}
