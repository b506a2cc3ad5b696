import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { loadClauses } from '../../catalog/clauses';
import { featureRules } from '../../cli/inputs/features';
import { providerVariants } from '.';
import { asSimulated } from './variant';

const fixtures = join(__dirname, '../../drivers/native/fixtures');

/** The library and what it includes, except for what the library of the faults has too. */
const sources = ['provider-variants.c', 'late-cqs.h', 'foreign-events.h'];

const shown = new Set(featureRules().flatMap(({ ids, scenarios }) => (scenarios.length > 0 ? ids : [])));

it('the library does what each variant says, and nothing else', () => {
  assert.deepEqual(
    sources.filter((name) => !readdirSync(fixtures).includes(name)),
    [],
  );
  const text = sources.map((name) => readFileSync(join(fixtures, name), 'utf8')).join('\n');
  const done = [...text.matchAll(/\bis\("([^"]+)"\)/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(done)].sort(), Object.keys(providerVariants).sort());
});

it('each variant says why it is lawful', () => {
  for (const [name, { does, because }] of Object.entries(providerVariants)) assert.ok(does && because, name);
});

it('no variant breaks a rule that the page promises, or one without a scenario', () => {
  const clauses = loadClauses();
  for (const [name, { breaks = [], shownBy = [] }] of Object.entries(providerVariants)) {
    for (const id of breaks) assert.notEqual(clauses.get(id)?.authority ?? 'page', 'page', `${name}: ${id}`);
    for (const id of [...breaks, ...shownBy]) assert.ok(shown.has(id), `${name}: ${id}`);
  }
});

it('a variant that the simulator does not have is refused', () => {
  assert.throws(() => asSimulated('none', () => true), /no lawful variant none/);
});
