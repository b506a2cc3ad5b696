import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QpAttr, TraceStruct } from '../../../../contract';
import { soundParts, type Parts } from '../../../../sim/device/device';
import type { RemoteAccess } from '../../../../sim/mr/memory';
import { isFound } from '../../../fixtures/alone';
import { setBoundaryValues } from './attributes';

/** A device that tells a number otherwise. */
const telling = (name: keyof QpAttr, otherwise: (value: number) => number) => (): Partial<Parts> => ({
  Qp: class extends soundParts.Qp {
    override query(): TraceStruct {
      const told = super.query();
      return { ...told, [name]: otherwise(Number(told[name])) };
    }
  },
});

/** A device that keeps a number otherwise than it was set. */
const keeping = (otherwise: (attr: QpAttr, before: QpAttr) => QpAttr) => (): Partial<Parts> => ({
  Qp: class extends soundParts.Qp {
    override modify(attr: QpAttr): void {
      const before = this.attributes;
      super.modify(attr);
      this.attributes = { ...this.attributes, ...otherwise(attr, before) };
    }
  },
});

const most = (end: number) => (value: number) => Math.min(value, end);

/** Each tells one of the ends of an attribute otherwise. */
const wrongEnds: readonly (readonly [keyof QpAttr, string, (value: number) => number])[] = [
  ['minRnrTimer', '31 as 30', most(30)],
  ['minRnrTimer', '0 as 1', (value) => Math.max(value, 1)],
  ['retryCnt', '7 as 6', most(6)],
  ['rnrRetry', '7 as 6', most(6)],
  ['timeout', '31 as 15', (value) => value & 15],
  ['timeout', '0 as 14', (value) => (value === 0 ? 14 : value)],
  ['maxRdAtomic', '3 as 2', most(2)],
  ['maxDestRdAtomic', '4 as 3', most(3)],
  ['sqPsn', 'without the highest bit', (value) => value & 0x7f_ffff],
  ['rqPsn', 'with the sign of its highest bit', (value) => (value << 8) >> 8],
  ['qkey', '0x7fffffff with fewer bits', (value) => value & 0x3fff_ffff],
];

describe('of the attributes of a QP', () => {
  for (const [name, how, otherwise] of wrongEnds)
    it(`${name} is not told ${how}`, async () => {
      assert.ok(await isFound(telling(name, otherwise), setBoundaryValues, 60));
    });

  it('none is lost when the send queue is drained', async () => {
    const loses = keeping(({ qpState }) => (qpState === 'IBV_QPS_SQD' ? { minRnrTimer: 0 } : {}));
    assert.ok(await isFound(loses, setBoundaryValues, 60));
  });

  it('what is changed while the send queue is drained counts', async () => {
    const keeps = keeping(({ retryCnt, sqPsn }, before) =>
      retryCnt !== undefined && sqPsn === undefined ? { retryCnt: before.retryCnt ?? 0 } : {},
    );
    assert.ok(await isFound(keeps, setBoundaryValues, 60));
  });

  it('none is that of the life before', async () => {
    for (const name of ['rnrRetry', 'pathMtu', 'qkey', 'rqPsn'] as const) {
      const keeps = keeping((attr, before) => (attr[name] === undefined ? {} : { [name]: before[name] ?? attr[name] }));
      assert.ok(await isFound(keeps, setBoundaryValues, 60), name);
    }
  });
});

describe('a QP', () => {
  it('lets its peer do nothing that it was let do in the life before', async () => {
    const lets = (): Partial<Parts> => ({
      Responder: class extends soundParts.Responder {
        readonly #granted = new Set<string>();

        protected override lets(right: RemoteAccess): boolean {
          if (super.lets(right)) this.#granted.add(right);
          return this.#granted.has(right);
        }
      },
    });
    assert.ok(await isFound(lets, setBoundaryValues, 60));
  });

  it('sends to the peer that it has in this life', async () => {
    const keeps = keeping((attr, before) =>
      attr.destQpNum === undefined ? {} : { destQpNum: before.destQpNum ?? attr.destQpNum },
    );
    assert.ok(await isFound(keeps, setBoundaryValues, 60));
  });

  it('numbers its packets from each number on', async () => {
    for (const first of [0x80_0000, 0xff_ffff, 0]) {
      const misnumbers = (): Partial<Parts> => ({
        Transmitter: class extends soundParts.Transmitter {
          override startAt(psn: number): void {
            super.startAt(psn === first ? psn ^ 0x10 : psn);
          }
        },
      });
      assert.ok(await isFound(misnumbers, setBoundaryValues, 60), `${first}`);
    }
  });
});
