import { createColors } from 'picocolors';
import { printableJson } from '../../catalog/plain-text';
import { UsageError } from '../../drivers/contract';
import { faults } from '../../drivers/sim/faults';
import { authorityNames } from '../../catalog/authority';
import type { Clause } from '../../catalog/clauses';
import { evidenceText, type ListedDeviation } from '../../catalog/deviations';
import { citation } from '../../reports/evidence/explain';
import { wrap } from '../../reports/evidence/wrap';
import type { RuleSource } from '../../reports/spec-book/gherkin-source';
import { hasColors } from '../common/colors';
import { knownDeviations } from '../inputs/deviations';
import { featureSources } from '../inputs/feature-sources';
import { loadClauses } from '../../catalog/clauses';
import { selectClauses } from '../rules/select-clauses';

/** A rule with all that the project knows of it. */
interface ShownRule {
  readonly clause: Clause;
  readonly rule?: RuleSource;
  /** What all scenarios of its feature begin with. */
  readonly background?: string;
  readonly faults: readonly { readonly name: string; readonly effect: string }[];
  readonly deviations: readonly ListedDeviation[];
}

/**
 * Prints a rule: what it says and rests on, its scenarios, the faults that it catches, and who is known to deviate.
 *
 * @param id - of a clause
 * @returns the exit code
 * @throws UsageError if there is no such clause
 */
export function show(id: string, json: boolean): number {
  const shown = shownRule(id);
  process.stdout.write(json ? `${printableJson(shown, 2)}\n` : ruleText(shown, process.stdout));
  return 0;
}

function shownRule(id: string): ShownRule {
  const [clause, ...others] = selectClauses([id]);
  if (clause === undefined || others.length > 0) {
    throw new UsageError(`"${id}" is a page and not a rule`, `\`verbspec rules ${id}\` lists its rules`);
  }
  const feature = featureSources().find(({ rules }) => rules.some(({ ids }) => ids.includes(id)));
  const rule = feature?.rules.find(({ ids }) => ids.includes(id));
  return {
    clause,
    ...(rule && { rule }),
    ...(feature?.background !== undefined && { background: feature.background }),
    faults: Object.entries(faults).flatMap(([name, { rules, effect }]) =>
      rules.includes(id) ? [{ name, effect }] : [],
    ),
    deviations: knownDeviations(loadClauses()).filter((deviation) => deviation.rule === id),
  };
}

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

function ruleText({ clause, rule, background, ...known }: ShownRule, stream: Terminal): string {
  const pc = createColors(hasColors(stream));
  const columns = stream.columns ?? 80;
  const facts = `${citation(clause)}; ${clause.level}; rests on: ${authorityNames[clause.authority]}`;
  const parts = [
    [
      pc.bold(clause.id),
      ...wrap(rule?.title ?? clause.statement ?? 'no Rule yet', columns, '  '),
      ...wrap(facts, columns, '  ').map((line) => pc.dim(line)),
    ],
    ...(rule?.description === undefined ? [] : [wrap(rule.description, columns, '  ')]),
    ...(clause.untested === undefined ? [] : [wrap(`no scenario: ${clause.untested}`, columns, '  ')]),
    ...(rule === undefined ? [] : scenarioParts(rule, background, pc)),
    ...faultPart(known.faults, columns, pc),
    ...deviationPart(known.deviations, columns, pc),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

type Colors = ReturnType<typeof createColors>;

function scenarioParts(rule: RuleSource, background: string | undefined, pc: Colors): string[][] {
  const all = [...(background === undefined ? [] : [background]), ...rule.scenarios];
  return [[pc.dim(`${rule.uri}:${rule.line}`)], ...all.map((scenario) => scenario.split('\n').map(indented))];
}

function indented(line: string): string {
  return `  ${line}`.trimEnd();
}

function faultPart(found: ShownRule['faults'], columns: number, pc: Colors): string[][] {
  if (found.length === 0) return [];
  const lines = found.flatMap(({ name, effect }) => wrap(`${name}: ${effect}`, columns, '  ', '    '));
  return [[pc.bold('Faults that it catches (`verbspec run --fault NAME`)'), ...lines]];
}

function deviationPart(found: readonly ListedDeviation[], columns: number, pc: Colors): string[][] {
  if (found.length === 0) return [];
  const lines = found.flatMap((deviation) => [
    ...wrap(
      `${whoOf(deviation)}${deviation.scenario === undefined ? '' : `, "${deviation.scenario}"`}`,
      columns,
      '  ',
      '    ',
    ),
    ...(deviation.showsOnlyIf === undefined ? [] : wrap(`shows only if ${deviation.showsOnlyIf}`, columns, '    ')),
    ...wrap(`${deviation.reason} (${evidenceText(deviation)})`, columns, '    '),
  ]);
  return [[pc.bold('Known deviations'), ...lines]];
}

/** The devices that an entry is about: `provider rxe, kernel <=6.1`. */
function whoOf({ when }: ListedDeviation): string {
  return Object.entries(when)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
