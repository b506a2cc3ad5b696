/**
 * How often a diagnosis is right: takes each planted fault out of the dictionary, diagnoses what it showed with the others, and
 * asks whether the first cause is of the same rules, or of the same verb and the same part of the simulator.
 * `npm run bench:diagnosis`. It fails where less than 75 % are right.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { proofFolder } from '../cli/common/project';
import { featureRules } from '../cli/inputs/features';
import { faultDictionary } from '../cli/inputs/fault-dictionary';
import { HarnessError } from '../drivers/contract';
import { faults } from '../drivers/sim/faults';
import { replacedBy } from '../drivers/sim/faults/touched';
import { diagnose } from '../reports/diagnosis/diagnose';
import { knownFaults, type KnownFault } from '../reports/diagnosis/dictionary';
import type { Observation } from '../reports/diagnosis/likeness';
import { scenarioKeys } from '../reports/diagnosis/scenario-keys';
import { readProof } from '../reports/proof/proof-file';

/** What has been reached; a dictionary or a diagnosis that is worse fails. */
const rightMin = 0.75;

const verdicts = [
  ...(['same rules', 'same verb and part', 'a rule in common'] as const),
  ...(['in its class', 'wrong', 'like no known fault'] as const),
] as const;
type Verdict = (typeof verdicts)[number];

/** A rule in common alone is not enough: some faults break many. */
const rightVerdicts: ReadonlySet<Verdict> = new Set(['same rules', 'same verb and part']);

interface Diagnosed {
  readonly fault: KnownFault;
  readonly verdict: Verdict;
  /** What it was taken for. */
  readonly first?: KnownFault;
}

/** The keys of the scenarios that meet each fault, as far as a proof says so. */
type Strays = ReadonlyMap<string, ReadonlySet<string>>;

function straysOfProof(): Strays {
  const path = join(proofFolder, 'proof.json');
  if (!existsSync(path)) return new Map();
  return new Map(
    readProof(path).faults.map(({ name, reliant }) => {
      const scenarios = reliant.flatMap(({ rule, scenarios: names }) =>
        names.map((scenario) => ({ name: scenario, clauseIds: [rule] })),
      );
      return [name, new Set(scenarios.flatMap((one) => scenarioKeys([one])))];
    }),
  );
}

/** The rules of each scenario of the features, by its key. */
function rulesByKey(): ReadonlyMap<string, readonly string[]> {
  const scenarios = featureRules().flatMap(({ ids, scenarios: own }) =>
    own.map(({ name }) => ({ name, clauseIds: ids })),
  );
  const keys = scenarioKeys(scenarios);
  return new Map(scenarios.map(({ clauseIds }, index) => [keys[index] ?? '', clauseIds]));
}

/** Of what meets a fault and did not run to its end, nobody knows what it shows. */
function observationOf(
  { name, fails, isSampled }: KnownFault,
  rules: Observation['rules'],
  strays: Strays,
): Observation {
  const met = strays.get(name);
  const isKnown = (key: string): boolean => !isSampled || met?.has(key) === false;
  const passed = [...rules.keys()].filter((key) => !fails.has(key) && isKnown(key));
  return { failed: fails, passed: new Set(passed), rules };
}

function partsOf({ name }: KnownFault): readonly string[] {
  return replacedBy(faults[name]?.parts ?? {}).map((touch) => touch.replace(/\..*/, ''));
}

function verbsOf({ rules }: KnownFault): readonly string[] {
  return rules.map((id) => id.replace(/\..*/, ''));
}

function share<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.some((item) => other.includes(item));
}

function isOfSameRules(one: KnownFault, other: KnownFault): boolean {
  return [...one.rules].sort().join() === [...other.rules].sort().join();
}

function isAlike(one: KnownFault, other: KnownFault): boolean {
  return share(verbsOf(one), verbsOf(other)) && share(partsOf(one), partsOf(other));
}

function diagnosed(fault: KnownFault, known: readonly KnownFault[], observation: Observation): Diagnosed {
  const others = known.filter((one) => one !== fault);
  const [explanation] = diagnose(observation, others).explanations;
  const [first, ...alike] = explanation?.faults ?? [];
  if (first === undefined) return { fault, verdict: 'like no known fault' };
  return { fault, first, verdict: verdictOn(fault, first, alike) };
}

function verdictOn(fault: KnownFault, first: KnownFault, alike: readonly KnownFault[]): Verdict {
  if (isOfSameRules(fault, first)) return 'same rules';
  if (isAlike(fault, first)) return 'same verb and part';
  if (share(fault.rules, first.rules)) return 'a rule in common';
  return alike.some((one) => isOfSameRules(fault, one) || isAlike(fault, one)) ? 'in its class' : 'wrong';
}

function tell(all: readonly Diagnosed[]): void {
  const wrong = all.filter(({ verdict }) => verdict === 'wrong' || verdict === 'like no known fault');
  for (const { fault, first } of wrong) {
    process.stdout.write(`${fault.name} (${fault.fails.size} scenarios): ${first?.name ?? 'like no known fault'}\n`);
  }
  process.stdout.write('\n');
  const kinds = [all, all.filter(({ fault }) => !fault.isSampled), all.filter(({ fault }) => fault.isSampled)];
  process.stdout.write(`${'first cause'.padEnd(22)}all faults  run whole  sampled\n`);
  for (const verdict of verdicts) {
    const counts = kinds.map((kind) => kind.filter((one) => one.verdict === verdict).length);
    const cells = counts.map((count, index) => `${count} (${percent(count, kinds[index]?.length ?? 0)})`.padStart(12));
    process.stdout.write(`${verdict.padEnd(20)}${cells.join('')}\n`);
  }
}

function percent(count: number, all: number): string {
  return `${((100 * count) / Math.max(1, all)).toFixed(1)} %`;
}

const dictionary = faultDictionary();
if (dictionary === undefined) throw new HarnessError('there is no fault dictionary', '`verbspec prove --accept`');
const known = knownFaults(dictionary);
const rules = rulesByKey();
const strays = straysOfProof();
const results = known.map((fault) => diagnosed(fault, known, observationOf(fault, rules, strays)));
tell(results);
const right = results.filter(({ verdict }) => rightVerdicts.has(verdict)).length;
process.stdout.write(`\nright: ${right} of ${results.length}, ${percent(right, results.length)}\n`);
if (right < rightMin * results.length) process.exitCode = 1;
