import { StepKeywordType, type Comment, type GherkinDocument, type Rule, type Scenario } from '@cucumber/messages';
import { clauseIdsOf, type Clauses } from '../../catalog/clauses';
import { untestedReason } from '../../reports/judge/rules';
import { rulesIn, scenariosOf, type Problem } from '../inputs/registry';

/** What a feature lacks to say something that can be checked. */
export function structureProblems({ feature, comments }: GherkinDocument, clauses: Clauses): Problem[] {
  if (feature === undefined) return [{ line: 1, text: 'the file holds no Feature; write one or remove the file' }];
  return [
    ...feature.children.flatMap(({ scenario }) => (scenario ? [strayProblem(scenario)] : [])),
    ...rulesIn(feature).flatMap((rule) => ruleProblems(rule, comments, clauses)),
    ...scenariosOf(feature).flatMap(scenarioProblems),
    ...namesakes(scenariosOf(feature)),
  ];
}

function strayProblem({ name, location }: Scenario): Problem {
  return { line: location.line, text: `scenario "${name}" stands under no Rule; put it under that of its clause` };
}

function ruleProblems(rule: Rule, comments: readonly Comment[], clauses: Clauses): Problem[] {
  const { line } = rule.location;
  const texts: string[] = [];
  if (clauseIdsOf(rule.tags).length === 0) texts.push('the Rule has no clause id; tag it with that of its clause');
  if (!rule.children.some(({ scenario }) => scenario) && untestedReason(rule) === undefined) {
    texts.push('the Rule has no scenario and no reason why; write one or the other below it');
  }
  return [...texts.map((text) => ({ line, text })), ...sectionProblems(rule, comments, clauses)];
}

/** The comment above a Rule begins with the section of the page that its clause stands in. */
function sectionProblems({ tags, location }: Rule, comments: readonly Comment[], clauses: Clauses): Problem[] {
  const sections = clauseIdsOf(tags).flatMap((id) => clauses.get(id)?.section ?? []);
  if (sections.length === 0) return [];
  const top = Math.min(location.line, ...tags.map((tag) => tag.location.line));
  const comment = commentAbove(top, comments);
  if (sections.some((section) => comment.startsWith(`# ${section}:`))) return [];
  const fault = comment === '' ? 'has no comment above it' : 'has a comment that names no section of its clause';
  return [{ line: location.line, text: `the Rule ${fault}; begin it with "# ${sections[0] ?? ''}: "` }];
}

/** First line of the comment that ends above a line, or an empty string. */
function commentAbove(line: number, comments: readonly Comment[]): string {
  const texts = new Map(comments.map(({ location, text }) => [location.line, text.trim()]));
  let first = line;
  while (texts.has(first - 1)) first--;
  return texts.get(first) ?? '';
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

/** Reports tell scenarios of one feature apart by their names. */
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
