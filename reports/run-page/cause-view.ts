import type { Causes } from '../diagnosis/causes';
import { anchorOf } from './scenario-view';

/** What failures look like. */
export interface CauseView {
  /** From 1, what explains most first. */
  readonly number: number;
  readonly title: string;
  readonly count: number;
  readonly failed: number;
  /** Scenarios that these faults fail, and that passed. */
  readonly missed: number;
  readonly rules: readonly string[];
  readonly isKnown: boolean;
  /** The scenario to look at. */
  readonly first: { readonly name: string; readonly anchor: string };
  readonly scenarios: readonly { readonly name: string; readonly anchor: string; readonly place: string }[];
}

/** The causes, numbered; the example is the first of its scenarios. */
export function causeViews({ causes, failed }: Causes): CauseView[] {
  return causes.map(({ title, kind, first, scenarios, missed, rules }, index) => {
    const views = scenarios.map(({ name, uri, line }) => ({
      name,
      anchor: anchorOf({ uri, line }),
      place: `${uri}:${line}`,
    }));
    const example = anchorOf(first);
    return {
      number: index + 1,
      title,
      count: scenarios.length,
      failed,
      missed,
      rules,
      isKnown: kind !== 'unknown',
      first: { name: first.name, anchor: example },
      scenarios: [...views].sort((one, other) => Number(other.anchor === example) - Number(one.anchor === example)),
    };
  });
}
