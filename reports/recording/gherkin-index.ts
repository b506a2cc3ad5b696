import type { Envelope, Examples, Feature, GherkinDocument, Pickle, Rule, Scenario, Step } from '@cucumber/messages';

/** Where a scenario stands in its feature. */
export interface ScenarioPlace {
  readonly feature: Feature;
  readonly rule: Rule | undefined;
  readonly scenario: Scenario;
}

/** A row of an Examples table that a scenario was made from. */
export interface ExampleRow {
  readonly line: number;
  /** The cells with their headings. */
  readonly cells: readonly { readonly name: string; readonly value: string }[];
}

/** A Rule with the feature file that it stands in. */
export interface RulePlace {
  /** Path of the feature file as the run knew it. */
  readonly uri: string;
  readonly rule: Rule;
}

/** Finds the syntax tree's nodes that pickles refer to by id. */
export class GherkinIndex {
  /** Paths of all feature files, as the run knew them. */
  readonly features: string[] = [];
  /** All Rules, in the order of the features. */
  readonly rules: RulePlace[] = [];
  readonly #places = new Map<string, ScenarioPlace>();
  readonly #rows = new Map<string, ExampleRow>();
  readonly #steps = new Map<string, Step>();

  constructor(envelopes: readonly Envelope[]) {
    for (const { gherkinDocument } of envelopes) if (gherkinDocument) this.#addDocument(gherkinDocument);
  }

  placeOf(pickle: Pickle): ScenarioPlace | undefined {
    return pickle.astNodeIds.map((id) => this.#places.get(id)).find((place) => place !== undefined);
  }

  rowOf(pickle: Pickle): ExampleRow | undefined {
    return pickle.astNodeIds.map((id) => this.#rows.get(id)).find((row) => row !== undefined);
  }

  /** The step as it is written, before the cells of a row are put in. */
  stepOf(astNodeIds: readonly string[]): Step | undefined {
    return astNodeIds.map((id) => this.#steps.get(id)).find((step) => step !== undefined);
  }

  #addDocument({ feature, uri = '' }: GherkinDocument): void {
    if (feature === undefined) return;
    this.features.push(uri);
    for (const child of feature.children) {
      if (child.background) this.#addSteps(child.background.steps);
      if (child.scenario) this.#addScenario({ feature, rule: undefined, scenario: child.scenario });
      if (child.rule) this.#addRule(feature, { uri, rule: child.rule });
    }
  }

  #addRule(feature: Feature, place: RulePlace): void {
    const { rule } = place;
    this.rules.push(place);
    for (const child of rule.children) {
      if (child.background) this.#addSteps(child.background.steps);
      if (child.scenario) this.#addScenario({ feature, rule, scenario: child.scenario });
    }
  }

  #addScenario(place: ScenarioPlace): void {
    this.#places.set(place.scenario.id, place);
    this.#addSteps(place.scenario.steps);
    for (const examples of place.scenario.examples) this.#addRows(examples);
  }

  #addRows({ tableHeader, tableBody }: Examples): void {
    const names = tableHeader?.cells.map((cell) => cell.value) ?? [];
    for (const row of tableBody) {
      const cells = row.cells.map((cell, index) => ({ name: names[index] ?? '', value: cell.value }));
      this.#rows.set(row.id, { line: row.location.line, cells });
    }
  }

  #addSteps(steps: readonly Step[]): void {
    for (const step of steps) this.#steps.set(step.id, step);
  }
}
