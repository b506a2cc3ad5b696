import { faultsOfRules, type FaultEvidence } from '../judge/fault-evidence';
import type { Clause } from '../../catalog/clauses';
import { citation, clausesOf, ruleInWords } from '../evidence/explain';
import { failing } from '../../catalog/verdict';
import type { JudgedScenario } from '../judge/judged-run';
import type { CauseView } from './cause-view';
import type { PageInput } from './page-input';
import { anchorOf, isTold, scenarioView, type ScenarioView } from './scenario-view';

/** A Rule with those of its scenarios that did not pass. */
export interface RuleView {
  /** The ids of its clauses. */
  readonly ids: readonly string[];
  /** Those that are anchors here: a Rule that fails and deviates has them at its failures. */
  readonly anchors: readonly string[];
  readonly title: string;
  readonly description?: string;
  readonly citations: readonly CitationView[];
  /** What the man pages say that are installed. */
  readonly sentences: readonly string[];
  /** Faults that it was shown to catch. */
  readonly faults: FaultEvidence['faults'];
  readonly scenarios: readonly ScenarioView[];
}

/** Where a clause stands. */
export interface CitationView {
  readonly text: string;
  readonly level: string;
  /** The page on the web, where it is one of libibverbs. */
  readonly url?: string;
}

/** The rules that are shown at length. */
export interface RuleViews {
  /** Those with scenarios that fail the run, or are broken. */
  readonly failures: readonly RuleView[];
  /** Those with scenarios that deviate as listed. */
  readonly deviations: readonly RuleView[];
}

/** How many scenarios have their calls on the page: those of failures, and those of deviations. */
const evidenceMax = { failures: 40, deviations: 12 } as const;
/** Of these, how many for each cause before others. */
const evidenceOfCauseMax = 3;

/** Views of all scenarios that did not pass, by their Rules, in the order of the features. */
export function ruleViews(input: PageInput, causes: readonly CauseView[]): RuleViews {
  const told = input.judged.scenarios.filter(isTold);
  const deviating = told.filter(({ verdict }) => verdict === 'deviates');
  const failed = told.filter(({ verdict }) => verdict !== 'deviates');
  const causeOf = new Map(causes.flatMap(({ number, scenarios }) => scenarios.map(({ anchor }) => [anchor, number])));
  const examples = causes.flatMap(({ scenarios }) =>
    scenarios.slice(0, evidenceOfCauseMax).map(({ anchor }) => anchor),
  );
  const anchors = failed.filter(({ verdict }) => failing.has(verdict)).map(({ recorded }) => anchorOf(recorded));
  const shown = new Set([...new Set([...examples, ...anchors])].slice(0, evidenceMax.failures));
  for (const { recorded } of deviating.slice(0, evidenceMax.deviations)) shown.add(anchorOf(recorded));
  const viewsOf = (scenarios: readonly JudgedScenario[]): RuleView[] =>
    byRule(scenarios).map((own) => ruleView(own, input, causeOf, shown));
  const failures = viewsOf(failed);
  const taken = new Set(failures.flatMap(({ anchors }) => anchors));
  const deviations = viewsOf(deviating).map((view) => ({
    ...view,
    anchors: view.anchors.filter((anchor) => !taken.has(anchor)),
  }));
  return { failures, deviations };
}

function byRule(scenarios: readonly JudgedScenario[]): JudgedScenario[][] {
  const rules = new Map<string, JudgedScenario[]>();
  for (const scenario of scenarios) {
    const { place, uri } = scenario.recorded;
    const key = place?.rule?.id ?? uri;
    rules.set(key, [...(rules.get(key) ?? []), scenario]);
  }
  return [...rules.values()];
}

function ruleView(
  scenarios: readonly JudgedScenario[],
  input: PageInput,
  causeOf: ReadonlyMap<string, number>,
  shown: ReadonlySet<string>,
): RuleView {
  const [first] = scenarios;
  const [title = '', description] = first === undefined ? [] : ruleInWords(first);
  const clauses = first === undefined ? [] : clausesOf(first, input.judged.recording.clauses);
  const ids = clauses.map(({ id }) => id);
  return {
    ids,
    anchors: ids,
    title,
    ...(description !== undefined && { description }),
    citations: clauses.map(citationView),
    sentences: [...new Set(ids.flatMap((id) => input.sentences.get(id) ?? []))],
    faults: faultsOfRules(input.judged.faults, ids),
    scenarios: scenarios.map((scenario) => {
      const anchor = anchorOf(scenario.recorded);
      return scenarioView(scenario, input, causeOf.get(anchor), shown.has(anchor));
    }),
  };
}

function citationView(clause: Clause): CitationView {
  const isPage = /^ibv_\w+$/.test(clause.page);
  return {
    text: citation(clause),
    level: clause.level,
    ...(isPage && { url: `https://man7.org/linux/man-pages/man3/${clause.page}.3.html` }),
  };
}
