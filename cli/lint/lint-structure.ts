import { StepKeywordType, type Feature, type GherkinDocument, type Rule, type Scenario } from '@cucumber/messages';
import { clauseIdsOf } from '../../catalog/clauses';
import { isDraft } from '../../catalog/drafts';
import { rulesIn, scenariosIn, type Problem } from '../inputs/features';

/** What a feature lacks to say something that can be checked. */
export function structureProblems({ feature }: GherkinDocument, page: string): Problem[] {
  if (feature === undefined) return [{ line: 1, text: 'the file holds no Feature; write one or remove the file' }];
  return [
    ...draftProblems(feature),
    ...feature.children.flatMap(({ scenario }) => (scenario ? [strayProblem(scenario)] : [])),
    ...rulesIn(feature).flatMap((rule) => ruleProblems(rule, page)),
    ...scenariosIn(feature).flatMap(scenarioProblems),
    ...namesakes(scenariosIn(feature)),
  ];
}

function draftProblems({ name, description, location }: Feature): Problem[] {
  if (!isDraft(`${name} ${description}`)) return [];
  return [{ line: location.line, text: 'the Feature is a draft; say in a few words what the page is about' }];
}

function strayProblem({ name, location }: Scenario): Problem {
  return { line: location.line, text: `scenario "${name}" stands under no Rule; put it under that of its clause` };
}

function ruleProblems({ tags, children, location: { line } }: Rule, page: string): Problem[] {
  const texts: string[] = [];
  if (clauseIdsOf(tags).length === 0) texts.push('the Rule has no clause id; tag it with that of its clause');
  if (!children.some(({ scenario }) => scenario)) {
    texts.push(`the Rule has no scenario; write one, or say in ${page}.clauses.json why its clause is "untested"`);
  }
  return texts.map((text) => ({ line, text }));
}

function scenarioProblems({ name, keyword, steps, examples, location }: Scenario): Problem[] {
  const isOutline = examples.length > 0 || /outline|template/i.test(keyword);
  const texts: string[] = [];
  if (steps.length === 0) {
    texts.push(`scenario "${name}" has no steps; write them or remove it`);
  } else if (!steps.some(({ keywordType }) => keywordType === StepKeywordType.OUTCOME)) {
    texts.push(`scenario "${name}" has no Then, so it checks nothing; say what it shows`);
  }
  if (isOutline && examples.length === 0) texts.push(`outline "${name}" has no Examples; write them below it`);
  const empty = examples.filter(({ tableBody }) => tableBody.length === 0);
  return [
    ...texts.map((text) => ({ line: location.line, text })),
    ...empty.map((table) => ({
      line: table.location.line,
      text: `the Examples of "${name}" have no rows; write them or remove the table`,
    })),
  ];
}

/** Reports distinguish scenarios of one feature by their names. */
function namesakes(scenarios: readonly Scenario[]): Problem[] {
  const lines = new Map<string, number>();
  return scenarios.flatMap(({ name, location: { line } }) => {
    const first = lines.get(name);
    if (first === undefined) {
      lines.set(name, line);
      return [];
    }
    return [{ line, text: `scenario "${name}" has the name of that at line ${first}; name what sets it apart` }];
  });
}
