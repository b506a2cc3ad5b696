import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { featureRules } from '../../cli/inputs/features';
import { faults } from '../../drivers/sim/faults';
import { providerFaults } from '.';
import { readMetRules } from './record';
import { twins } from './twins';

const source = join(__dirname, '../../drivers/native/fixtures/provider-faults.c');

const shown = new Set(featureRules().flatMap(({ ids, scenarios }) => (scenarios.length > 0 ? ids : [])));

it('the library commits each fault, and no other', () => {
  const committed = [...readFileSync(source, 'utf8').matchAll(/\bis\("([^"]+)"\)/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(committed)].sort(), Object.keys(providerFaults).sort());
});

it('each fault names rules that have a scenario', () => {
  for (const [name, fault] of Object.entries(providerFaults)) {
    assert.notEqual(fault.rules.length, 0, name);
    for (const id of fault.rules) assert.ok(shown.has(id), `${name}: ${id}`);
  }
});

it('what is recorded are faults that there are, and rules that have a scenario', () => {
  for (const [name, rules] of Object.entries(readMetRules())) {
    assert.ok(Object.hasOwn(providerFaults, name), name);
    for (const id of rules) assert.ok(shown.has(id), `${name}: ${id}`);
  }
});

it('twins are faults that there are', () => {
  for (const [name, names] of Object.entries(twins)) {
    assert.ok(Object.hasOwn(providerFaults, name), name);
    for (const twin of names) assert.ok(Object.hasOwn(faults, twin), `${name}: ${twin}`);
  }
});
