import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Sge } from '../../../../contract';
import { soundParts, type Parts } from '../../../../sim/device/device';
import { isFound } from '../../../fixtures/alone';
import { gatherInAnyShape } from './lists-of-entries';

type List = readonly Sge[];
type Otherwise = (list: List) => List;

const isFoundHere = (parts: () => Partial<Parts>): Promise<boolean> => isFound(parts, gatherInAnyShape, 60);

/** A device that takes the list of a send for another one. */
const sending = (otherwise: Otherwise, isInline: boolean) => (): Partial<Parts> => ({
  Requester: class extends soundParts.Requester {
    override post(...[wr]: Parameters<typeof soundParts.Requester.prototype.post>): void {
      const isMeant = wr.opcode !== 'IBV_WR_RDMA_READ' && wr.sendFlags.includes('IBV_SEND_INLINE') === isInline;
      super.post(isMeant ? { ...wr, sgList: [...otherwise(wr.sgList)] } : wr);
    }
  },
});

const reading = (otherwise: Otherwise) => (): Partial<Parts> => ({
  Requester: class extends soundParts.Requester {
    override post(...[wr]: Parameters<typeof soundParts.Requester.prototype.post>): void {
      super.post(wr.opcode === 'IBV_WR_RDMA_READ' ? { ...wr, sgList: [...otherwise(wr.sgList)] } : wr);
    }
  },
});

const receiving = (otherwise: Otherwise) => (): Partial<Parts> => ({
  Qp: class extends soundParts.Qp {
    override postRecv(...[wrs]: Parameters<typeof soundParts.Qp.prototype.postRecv>): void {
      super.postRecv(wrs.map((wr) => ({ ...wr, sgList: [...otherwise(wr.sgList)] })));
    }
  },
});

const places: Readonly<Record<string, (otherwise: Otherwise) => () => Partial<Parts>>> = {
  sends: (otherwise) => sending(otherwise, false),
  'inline sends': (otherwise) => sending(otherwise, true),
  reads: reading,
  receives: receiving,
};

/** In the order of their addresses. */
const sorted: Otherwise = (list) => [...list].sort((one, other) => Number(one.addr - other.addr));

/** The length of the list stays: the last one gets what others have lost. */
const keptLong = (list: List, changed: List): List => {
  const sum = (entries: List): number => entries.reduce((all, { length }) => all + length, 0);
  const last = changed.at(-1);
  if (last === undefined) return list;
  return [...changed.slice(0, -1), { ...last, length: last.length + sum(list) - sum(changed) }];
};

/** What many devices could make of a list: each is the same for most lists. */
const misreadings: Readonly<Record<string, Otherwise>> = {
  'in any order of addresses': sorted,
  'with all their entries': (list) => keptLong(list, list.slice(0, 3)),
  'with entries of one byte': (list) =>
    keptLong(
      list,
      list.map((one) => (one.length === 1 ? { ...one, length: 0 } : one)),
    ),
  'with what stands behind an empty entry': (list) => {
    const empty = list.findIndex(({ length }) => length === 0);
    return keptLong(list, empty <= 0 ? list : list.slice(0, empty));
  },
  'with an empty entry at their beginning': (list) => (list[0]?.length === 0 ? keptLong(list, list.slice(0, 1)) : list),
};

for (const [place, made] of Object.entries(places)) {
  describe(`lists of ${place} are taken`, () => {
    for (const [what, otherwise] of Object.entries(misreadings)) {
      it(what, async () => {
        assert.ok(await isFoundHere(made(otherwise)));
      });
    }
  });
}

/** What touches what stands before it becomes one with it, and of that only so many bytes count. */
const joining =
  (bytes: number): Otherwise =>
  (list) =>
    list.map((one, index) => {
      const before = list[index - 1];
      const touches = before !== undefined && before.addr + BigInt(before.length) === one.addr && one.length > bytes;
      return touches ? { ...one, addr: one.addr + 1n } : one;
    });

/** An entry begins where the one before ends, if that is further on. */
const trimming: Otherwise = (list) =>
  list.map((one, index) => {
    const before = list[index - 1];
    const end = before === undefined ? one.addr : before.addr + BigInt(before.length);
    return before !== undefined && one.addr >= before.addr && one.addr < end ? { ...one, addr: end } : one;
  });

const swappingTwins: Otherwise = (list) =>
  list.map((one, index) => {
    const isTwin = list.slice(0, index).some(({ addr }) => addr === one.addr);
    return isTwin && one.length > 1 ? { ...one, addr: one.addr + 1n } : one;
  });

describe('entries', () => {
  for (const isInline of [false, true]) {
    const how = isInline ? 'inline' : 'not inline';
    it(`that touch are apart, ${how}`, async () => {
      assert.ok(await isFoundHere(sending(joining(1), isInline)));
    });
    it(`that overlap are whole, ${how}`, async () => {
      assert.ok(await isFoundHere(sending(trimming, isInline)));
    });
    it(`of one place are sent again, ${how}`, async () => {
      assert.ok(await isFoundHere(sending(swappingTwins, isInline)));
    });
  }

  it('that touch are apart in receives and reads', async () => {
    assert.ok(await isFoundHere(receiving(joining(1))));
    assert.ok(await isFoundHere(reading(joining(1))));
  });

  it('are each in a region of their own', async () => {
    const hasty: Otherwise = (list) => list.map((one) => ({ ...one, lkey: list[0]?.lkey ?? one.lkey }));
    assert.ok(await isFoundHere(sending(hasty, false)));
    assert.ok(await isFoundHere(reading(hasty)));
  });
});
