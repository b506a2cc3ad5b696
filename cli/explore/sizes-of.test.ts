import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TraceStruct } from '../../drivers/contract';
import { Explorer } from '../../drivers/explore/explorer';
import { untilNothingHappens } from '../../drivers/programs/run-program';
import { anySizes, type Sizes } from '../../drivers/explore/generate/sizes';
import { SimBackend } from '../../drivers/sim/backend';
import { soundParts } from '../../drivers/sim/device/device';
import type { RawResult } from '../../drivers/pipeline/backend';
import type { VerbName } from '../../drivers/verbs';
import { programAt } from './programs';
import { sizesOf } from './sizes-of';

/** A device whose queues take little, as it tells and demands. */
class Frugal extends SimBackend {
  constructor(
    readonly maxSge: number,
    readonly maxSrqSge: number,
    readonly inlineBytes: number,
    readonly maxSgeRd = maxSge,
  ) {
    super(soundParts);
  }

  override async call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    if (this.#asksForMore(verb, args)) return { returned: null, errno: 22, outputs: {}, startedAt: 0, durationUs: 0 };
    const result = await super.call(verb, args);
    const { maxSge, maxSgeRd, maxSrqSge } = this;
    const outputs = { ...result.outputs, maxSge, maxSgeRd, maxSrqSge };
    return verb === 'ibv_query_device' ? { ...result, outputs } : result;
  }

  #asksForMore(verb: VerbName, { qpInitAttr, srqInitAttr, wrs }: TraceStruct): boolean {
    if (verb === 'ibv_post_send') return (wrs as readonly TraceStruct[]).some((wr) => this.#readsIntoMore(wr));
    if (verb === 'ibv_create_srq')
      return Number(((srqInitAttr as TraceStruct).attr as TraceStruct).maxSge) > this.maxSrqSge;
    if (verb !== 'ibv_create_qp') return false;
    const { maxSendSge, maxRecvSge, maxInlineData } = (qpInitAttr as TraceStruct).cap as TraceStruct;
    return Math.max(Number(maxSendSge), Number(maxRecvSge)) > this.maxSge || Number(maxInlineData) > this.inlineBytes;
  }

  #readsIntoMore({ opcode, sgList }: TraceStruct): boolean {
    return opcode === 'IBV_WR_RDMA_READ' && (sgList as readonly unknown[]).length > this.maxSgeRd;
  }
}

test('a device tells how many entries its lists may have, of an SRQ as well if it has any', async () => {
  const most = async (...[ofQp, ofSrq]: readonly [number, number]): Promise<number> =>
    (await sizesOf(new Frugal(ofQp, ofSrq, 0), untilNothingHappens)).entries;
  assert.deepEqual([await most(3, 2), await most(2, 3), await most(1, 0)], [2, 2, 1]);
});

test('a device tells how many entries the list of an RDMA read may have', async () => {
  const most = async (ofReads: number): Promise<number> =>
    (await sizesOf(new Frugal(4, 4, 0, ofReads), untilNothingHappens)).readEntries;
  assert.deepEqual([await most(1), await most(3), await most(0)], [1, 3, Infinity]);
});

test('a device shows how much inline data it takes', async () => {
  const most = async (bytes: number): Promise<number> =>
    (await sizesOf(new Frugal(4, 4, bytes), untilNothingHappens)).inlineBytes;
  assert.deepEqual([await most(32), await most(63), await most(64), await most(70)], [32, 48, 64, 64]);
  assert.equal(await most(71), Infinity);
});

/** Programs of which a device of two entries, one for reads, and of little inline data, is accused. */
async function accused(sizes: Sizes): Promise<number> {
  const explorer = new Explorer(new Frugal(2, 2, 32, 1));
  let found = 0;
  for (let index = 0; index < 40; index++) {
    const course = { avoided: new Set<string>(), sizes };
    const outcome = await explorer.examine(await programAt(3, index, explorer.dut, course, []));
    if (outcome.kind !== 'sound') found += 1;
  }
  return found;
}

test('a device whose queues take little is asked for no more', async () => {
  assert.equal(await accused({ entries: 2, readEntries: 1, inlineBytes: 32 }), 0);
  for (const sizes of [anySizes, { ...anySizes, entries: 2 }, { ...anySizes, inlineBytes: 32 }])
    assert.ok((await accused(sizes)) > 20);
  assert.ok((await accused({ ...anySizes, entries: 2, inlineBytes: 32 })) > 0);
});
