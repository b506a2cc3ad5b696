import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../drivers/support/cache';
import { readTextFile } from '../../drivers/support/files';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';
import type { PlannedTrial } from './plan';
import { placeOf, type RecordedScenario, type Tried } from './prove-job';
import { hashOf, type Sources } from './sources';

/** Outcomes of a fault that are kept; those of scenarios that have changed since are among them. */
const outcomesMax = 5000;

/** What became of a scenario: nothing, or what {@link Tried} says of it. */
type Outcome = Omit<Tried, 'uri' | 'line'>;

/** Outcomes by the key of their scenario. */
type Outcomes = Readonly<Record<string, Outcome>>;

const schema = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    properties: {
      at: { type: 'string' },
      verdict: { type: 'string' },
      detail: { type: 'string' },
      failedAt: { type: 'integer' },
      signature: { type: 'string' },
    },
  },
};

const assertOutcomes: SchemaAssertion<Outcomes> = schemaAssertion<Outcomes>(schema);

/**
 * Results of proofs before this one, a file a fault in the folder of this user. One counts as long as its key is the same:
 * the entry of the fault, the text of the scenario, the definitions of its steps, the parts of the simulator that the
 * scenario touches, and what all have in common.
 */
export class KeptResults {
  readonly #keys = new Map<RecordedScenario, string>();

  constructor(
    readonly sources: Sources,
    /** Whether what was kept before does not count. */
    readonly isAnew: boolean,
    readonly folder: string = cacheFolder('proof'),
  ) {}

  /** What became of these scenarios when they last ran under this fault; those that have to run are left out. */
  read(fault: string, trials: readonly PlannedTrial[]): Tried[] {
    const outcomes = this.isAnew ? {} : this.#outcomes(fault);
    return trials.flatMap((trial) => {
      const key = this.#keyOf(fault, trial);
      const { uri, line } = trial;
      return Object.hasOwn(outcomes, key) ? [{ uri, line, ...outcomes[key] }] : [];
    });
  }

  /** Keeps what became of scenarios, beside what was kept of others. */
  write(fault: string, trials: readonly PlannedTrial[], tried: readonly Tried[]): void {
    const byPlace = new Map(tried.map((one) => [placeOf(one), one]));
    const before = Object.entries(this.isAnew ? {} : this.#outcomes(fault));
    const now = trials.flatMap((trial): [string, Outcome][] => {
      const one = byPlace.get(placeOf(trial));
      return one === undefined ? [] : [[this.#keyOf(fault, trial), outcomeOf(one)]];
    });
    const path = this.#pathOf(fault);
    mkdirSync(this.folder, { recursive: true });
    const outcomes = Object.fromEntries([...(before.length < outcomesMax ? before : []), ...now]);
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(outcomes));
    renameSync(`${path}.${process.pid}`, path);
  }

  #pathOf(fault: string): string {
    return join(this.folder, `${fault}.json`);
  }

  /** What cannot be read was not kept. */
  #outcomes(fault: string): Outcomes {
    try {
      const data: unknown = JSON.parse(readTextFile(this.#pathOf(fault)));
      assertOutcomes(data, fault);
      return data;
    } catch {
      return {};
    }
  }

  #keyOf(fault: string, { scenario, uptoVerbs }: PlannedTrial): string {
    return hashOf([this.sources.fault(fault), this.#keyOfScenario(scenario), ...[...uptoVerbs].sort()]);
  }

  #keyOfScenario(scenario: RecordedScenario): string {
    const { text, definitions, touches } = scenario;
    const known = this.#keys.get(scenario);
    if (known !== undefined) return known;
    const { sources } = this;
    const key = hashOf([sources.common, text, sources.definitions(definitions), sources.touched(touches)]);
    this.#keys.set(scenario, key);
    return key;
  }
}

function outcomeOf({ at, verdict, detail, failedAt, signature }: Tried): Outcome {
  return {
    ...(at !== undefined && { at }),
    ...(verdict && { verdict }),
    ...(detail !== undefined && { detail }),
    ...(failedAt !== undefined && { failedAt }),
    ...(signature !== undefined && { signature }),
  };
}
