import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { descriptions } from '../../../verbs';
import { wc } from '../../../verbs/cq';
import { systematicFaults } from '.';
import { nameOf, piecesOfModel } from './pieces';

describe('the systematic faults', () => {
  const faults = systematicFaults();

  it('have names of their own', () => {
    assert.equal(new Set(faults.map(({ name }) => name)).size, faults.length);
  });

  it('are of each piece of state, and of each member of a completion but the P_Key of GSI QPs', () => {
    const pieces = new Set(faults.map(({ piece }) => piece));
    const members = Object.keys(wc.members).filter((member) => member !== 'pkeyIndex');
    for (const name of [...piecesOfModel().map(nameOf), ...members.map((member) => `wc.${member}`)]) {
      assert.ok(pieces.has(name), name);
    }
  });

  it('are of each verb that does something and that scenarios call', () => {
    const verbs = new Set<string | undefined>(faults.map(({ verb }) => verb));
    for (const { c, internal, fails, explored } of descriptions) {
      if (internal === undefined && fails !== 'never') assert.equal(verbs.has(c), explored === undefined, c);
    }
  });
});
