import { HarnessError } from '../../drivers/contract';
import type { Clause } from '../../catalog/clauses';
import type { ListedDeviation } from '../../catalog/deviations';
import { plainText } from '../../catalog/plain-text';
import type { RuleVerdict } from '../../catalog/verdict';
import type { RuleEntry, ScenarioEntry } from '../judge/verdicts';
import type { BookInput } from './book-input';
import { runNames } from '../evidence/run-names';
import type { RuleSource } from './gherkin-source';

/** A rule as the book shows it. */
export interface RuleView extends Pick<Clause, 'id' | 'page' | 'section' | 'level' | 'authority' | 'ibta'> {
  /** The id without its page, which is its anchor within the page. */
  readonly slug: string;
  readonly title: string;
  /** What its Rule adds to the title. */
  readonly description?: string;
  readonly isNewest: boolean;
  readonly isImplied: boolean;
  /** Feature file and line. */
  readonly place?: string;
  /** Its scenarios in Gherkin. */
  readonly scenarios: readonly string[];
  /** Why it has none. */
  readonly reason?: string;
  /** Why its scenarios show no more than that a device accepts what is asked. */
  readonly effectNotShown?: string;
  readonly verdicts: readonly DutVerdict[];
  readonly faults: readonly { readonly name: string; readonly effect: string }[];
  readonly deviations: readonly DeviationView[];
}

/** What a run said of a rule. */
export interface DutVerdict {
  readonly dut: string;
  /** `not-run` if the run left the rule out. */
  readonly verdict: RuleVerdict | 'not-run';
  readonly reason?: string;
  readonly effectNotShown: boolean;
  /** Scenarios that did not pass. */
  readonly unpassed: readonly Pick<ScenarioEntry, 'name' | 'verdict' | 'detail'>[];
  readonly passed: number;
}

/** A known departure. */
export interface DeviationView {
  readonly scenario?: string;
  /** Its conditions: `provider rxe, rdmaCore <55`. */
  readonly when: string;
  /** What it takes to show, where that is not always so. */
  readonly showsOnlyIf?: string;
  readonly reason: string;
  readonly link: string;
  /** Only what a browser fetches is a link in the book. */
  readonly isWebLink: boolean;
  readonly owner: string;
}

/** Gathers what is known of each rule. */
export class RuleViews {
  readonly #views = new Map<string, RuleView>();
  readonly #sources = new Map<string, RuleSource>();
  readonly #duts: readonly string[];
  readonly #entries: readonly ReadonlyMap<string, RuleEntry>[];

  constructor(private readonly input: BookInput) {
    for (const rule of input.features.flatMap(({ rules }) => rules)) {
      for (const id of rule.ids) this.#sources.set(id, rule);
    }
    this.#duts = runNames(input.runs, input.folders);
    this.#entries = input.runs.map(({ rules }) => new Map(rules.map((rule) => [rule.id, rule])));
  }

  /** @throws HarnessError for an id of no clause */
  of(id: string): RuleView {
    const view = this.#views.get(id) ?? this.#viewOf(id);
    this.#views.set(id, view);
    return view;
  }

  #viewOf(id: string): RuleView {
    const clause = this.input.clauses.get(id);
    if (clause === undefined) throw new HarnessError(`there is no clause ${id}`, 'see `verbspec rules --check`');
    const { page, section, level, authority, ibta, untested, effectNotShown } = clause;
    const source = this.#sources.get(id);
    return {
      ...{ id, page, section, level, authority },
      ...(ibta !== undefined && { ibta }),
      slug: id.slice(page.length + 1),
      title: source?.title ?? clause.statement ?? '',
      ...(source?.description !== undefined && { description: source.description }),
      isNewest: clause.rdmaCore === 'newest-only',
      isImplied: clause.implied === true,
      ...(source && { place: `${source.uri}:${source.line}` }),
      scenarios: source?.scenarios ?? [],
      ...(untested !== undefined && { reason: untested }),
      ...(effectNotShown && { effectNotShown: effectNotShown.reason }),
      verdicts: this.#duts.map((dut, index) => dutVerdict(dut, this.#entries[index]?.get(id))),
      faults: this.input.faults.filter(({ rules }) => rules.includes(id)).map(({ name, effect }) => ({ name, effect })),
      deviations: this.input.deviations.filter(({ rule }) => rule === id).map(deviationView),
    };
  }
}

function dutVerdict(dut: string, entry: RuleEntry | undefined): DutVerdict {
  if (entry === undefined) return { dut, verdict: 'not-run', effectNotShown: false, unpassed: [], passed: 0 };
  const unpassed = entry.scenarios.filter(({ verdict }) => verdict !== 'pass');
  return {
    dut,
    verdict: entry.verdict,
    ...(entry.reason !== undefined && { reason: plainText(entry.reason) }),
    effectNotShown: entry.effectNotShown === true,
    unpassed: unpassed.map(({ name, verdict, detail }) => ({
      name,
      verdict,
      ...(detail !== undefined && { detail: plainText(detail) }),
    })),
    passed: entry.scenarios.length - unpassed.length,
  };
}

function deviationView({ scenario, when, reason, link, owner, showsOnlyIf }: ListedDeviation): DeviationView {
  return {
    ...(scenario !== undefined && { scenario }),
    when: Object.entries(when)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    ...(showsOnlyIf !== undefined && { showsOnlyIf }),
    reason,
    link,
    isWebLink: /^https?:\/\//.test(link),
    owner,
  };
}
