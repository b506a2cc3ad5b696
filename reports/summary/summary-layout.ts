import type { createColors } from 'picocolors';
import type { RuleVerdict, ScenarioVerdict } from '../../catalog/verdict';

/** How the summary is laid out. */
export interface SummaryOptions {
  readonly color: boolean;
  /** Width of the terminal, in characters. */
  readonly columns?: number;
  /** Last calls of the trace that each failed scenario shows. */
  readonly callsMax?: number;
  /** Failed scenarios that are shown in full. */
  readonly detailsMax?: number;
  /** Whether each rule has its line, and not each man page alone. */
  readonly verbose?: boolean;
}

/** The options with their defaults, and what paints. */
export type Layout = Required<SummaryOptions> & { readonly colors: ReturnType<typeof createColors> };

/** Paints text in the color of a verdict. */
export function paint(verdict: RuleVerdict | ScenarioVerdict, text: string, { colors }: Layout): string {
  switch (verdict) {
    case 'pass':
    case 'conforms':
      return colors.green(text);
    case 'blocked':
    case 'broken':
    case 'untested':
      return colors.yellow(text);
    case 'deviates':
    case 'not-applicable':
      return colors.cyan(text);
    case 'violates':
    case 'fail':
    case 'crash':
    case 'hang':
    case 'panic':
    case 'surprise':
      return colors.red(text);
  }
}

/** A blank that a line is not broken at. */
export const glue = '\u00a0';
