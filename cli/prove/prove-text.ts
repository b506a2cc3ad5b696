import { createColors } from 'picocolors';
import { oneLine } from '../../catalog/plain-text';
import type { Proof, ProvedFault, ProvedThenSteps } from '../../reports/proof/proof';
import { bluntFrom } from '../../reports/proof/reliances';
import { hasColors } from '../common/colors';

interface Terminal {
  readonly isTTY?: boolean;
}

/** A table of the faults of each page, then what is wrong, then a summary; of the rules that the user named, or of all. */
export function renderProof(proof: Proof, stream: Terminal): string {
  const colors = createColors(hasColors(stream));
  const asked = { ...proof, faults: proof.faults.map((fault) => ofAskedRules(fault, proof.selected)) };
  return [
    ...tables(asked, colors.bold),
    ...blunt(asked, colors.bold),
    ...wrong(asked, colors.red),
    ...summary(asked),
    '',
  ].join('\n');
}

function ofAskedRules(fault: ProvedFault, selected: readonly string[] = fault.rules): ProvedFault {
  return { ...fault, rules: fault.rules.filter((rule) => selected.includes(rule)) };
}

function tables({ faults }: Proof, bold: (text: string) => string): string[] {
  const shown = faults.filter(({ rules }) => rules.length > 0);
  const pages = [...new Set(shown.map(pageOf))];
  return pages.flatMap((page) => {
    const own = shown.filter((fault) => pageOf(fault) === page);
    const width = Math.max(...own.map(({ name }) => name.length));
    return [
      bold(oneLine(`${page}(3)`)),
      ...own.map((fault) => `  ${oneLine(fault.name).padEnd(width)}  ${outcomeOf(fault)}`),
      '',
    ];
  });
}

function pageOf({ rules }: ProvedFault): string {
  return rules[0]?.replace(/\..*/, '') ?? 'no page';
}

function outcomeOf({ rules, killed, reliant, crossKills, lost }: ProvedFault): string {
  if (lost !== undefined) return `lost: ${oneLine(lost)}`;
  const own = rules.map((rule) => `${rule.replace(/.*\./, '')} ${killed[rule]?.length ?? 0}`).join(', ');
  const others = [
    ...(reliant.length > 0 ? [`${counted(reliant)} on them`] : []),
    ...(crossKills.length > 0 ? [`${crossKills.length} OTHERS BROKEN`] : []),
  ];
  return [own, ...others].join('; ');
}

function counted({ length }: readonly unknown[]): string {
  return length === 1 ? '1 other rule relies' : `${length} other rules rely`;
}

function blunt({ blunt = [], faults }: Proof, bold: (text: string) => string): string[] {
  const shown = blunt.filter(({ name }) => faults.some((fault) => fault.name === name && fault.rules.length > 0));
  if (shown.length === 0) return [];
  const lines = shown.map(({ name, otherRules }) => `  ${oneLine(name)}  ${otherRules} other rules meet it`);
  return [bold(`blunt: more than ${bluntFrom} other rules`), ...lines, ''];
}

function wrong({ problems }: Proof, red: (text: string) => string): string[] {
  return problems.length === 0 ? [] : [...problems.map((line) => `${red('wrong')}  ${oneLine(line)}`), ''];
}

function summary({ faults, rules, problems, guardedByOne = [], thenSteps }: Proof): string[] {
  const pairs = faults.flatMap((fault) => fault.rules.map((rule) => (fault.killed[rule] ?? []).length > 0));
  const caught = pairs.filter(Boolean).length;
  const broken = faults.flatMap(({ crossKills }) => crossKills).length;
  const guarded = rules.filter((rule) => rule.faults.length > 0).length;
  return [
    `${faults.length} faults, ${guarded} of ${rules.length} rules shown to fail`,
    `sensitivity  ${pairs.length === 0 ? 0 : Math.floor((caught / pairs.length) * 1000) / 10} %: ${caught} of ${pairs.length} pairs of fault and rule`,
    `other rules  ${broken} broken by faults that are not of them nor of what they rely on`,
    `guarded   ${rules.length - guardedByOne.length} of ${rules.length} rules by two independent faults or more`,
    ...(thenSteps === undefined ? [] : [thenStepsText(thenSteps)]),
    problems.length === 0 ? 'proved    nothing is wrong' : `not proved  ${problems.length} wrong`,
  ];
}

function thenStepsText({ count, underOthers, argued, never }: ProvedThenSteps): string {
  const own = count - underOthers - argued - never.length;
  const rest = `${underOthers} under faults of other rules alone, ${argued} cannot, ${never.length} never do`;
  return `Then      ${own} of ${count} Then steps fail first under a fault of their rule; ${rest}`;
}
