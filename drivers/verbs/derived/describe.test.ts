import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addonPath, loadAddon } from '../../native/host/addon';
import { enumerationsOf, verbTexts } from './describe';

const skip = addonPath() === undefined ? 'the addon is not built' : false;

/** Texts that do not depend on the order of members. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}

describe('the addon describes itself', { skip }, () => {
  it('with the same verbs', () => {
    assert.deepEqual(Object.keys(loadAddon().describe()).sort(), [...verbTexts().keys()].sort());
  });

  const addon = skip === false ? loadAddon().describe() : {};
  for (const [c, text] of verbTexts()) {
    it(`${c} with the same arguments, results and members of structs`, () => {
      assert.deepEqual(sorted(addon[c]), sorted(text));
    });
  }

  it('with the same enumerations', () => {
    const names = Object.entries(loadAddon().enumerations).map(
      ([c, values]) => [c, Object.keys(values).sort()] as const,
    );
    const described = [...enumerationsOf()].map(([c, own]) => [c, [...own].sort()] as const);
    assert.deepEqual(Object.fromEntries(names), Object.fromEntries(described.sort()));
  });
});
