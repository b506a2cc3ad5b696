import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadClauses } from '../../catalog/clauses';
import { variants } from '../../drivers/sim/lawful';
import type { Variants } from '../../drivers/sim/lawful/variant';
import { readFeatures } from '../inputs/features';
import { remarkFindings } from './lint-remarks';

const files = readFeatures();
const clauses = loadClauses();
const lint = (some: Variants): string[] => remarkFindings(files, clauses, some).map(({ text }) => text);

function without(...ids: readonly string[]): Variants {
  const left = Object.entries(variants).map(([name, { uses = [], ...variant }]) => {
    return [name, { ...variant, uses: uses.filter((id) => !ids.includes(id)) }] as const;
  });
  return Object.fromEntries(left);
}

describe('a remark that leaves something open', () => {
  it('has a variant that uses it', () => {
    assert.deepEqual(lint(variants), []);
  });

  for (const id of ['ibv_modify_cq', 'ibv_poll_cq.field-byte-len', 'ibv_create_cq.errno-on-null']) {
    it(`is found where none uses that of ${id}`, () => {
      const [text = '', ...more] = lint(without(id));
      assert.ok(text.includes(id), text);
      assert.match(text, /leaves something open, and no lawful variant uses it/);
      assert.deepEqual(more, []);
    });
  }

  it('is not there where a variant names a rule that is not', () => {
    const stray = { does: '', because: '', uses: ['ibv_poll_cq.no-such'], parts: () => ({}) };
    assert.deepEqual(lint({ ...variants, stray }), ['variant stray names ibv_poll_cq.no-such, which no clause is']);
  });
});
