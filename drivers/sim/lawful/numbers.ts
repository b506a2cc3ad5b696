import type { TraceStruct } from '../../contract';
import type { VerbName } from '../../verbs';
import type { Parts } from '../device/device';
import type { Qp, QpInit } from '../qp/qp';
import type { Success } from '../return-values';
import type { Variant, Variants } from './variant';

/** QPs with other numbers than those of the simulator. */
function numbered(does: string, first: number, after: (qpNum: number) => number): Variant {
  return {
    does,
    because: 'the number of a QP has 24 bits, and no page says which it is',
    parts: (of: Parts) => ({
      Device: class extends of.Device {
        protected override firstQpNum(): number {
          return first;
        }

        protected override qpNumAfter(qpNum: number): number {
          return after(qpNum);
        }
      },
    }),
  };
}

/** A device with so many completion vectors. */
function vectors(does: string, count: number): Variant {
  return {
    does,
    because: 'num_comp_vectors of the context says how many there are',
    parts: (of: Parts) => ({
      Device: class extends of.Device {
        override readonly numCompVectors: number = count;
      },
    }),
  };
}

/** The one key of a memory region by the other. */
const otherKey = (key: number): number => (key ^ 0x8000_0000) >>> 0;

export const variants: Variants = {
  'qp-numbers-go-down': numbered('QP numbers have all 24 bits and go down', 0xff_ffff, (qpNum) => qpNum - 1),
  'qp-numbers-are-small': numbered('QP numbers begin with 2, after those of special QPs', 2, (qpNum) => qpNum + 1),
  'qp-numbers-are-far-apart': numbered(
    'QP numbers differ in their highest bits',
    0x11,
    (qpNum) => (qpNum + 0x01_0000) & 0xff_ffff,
  ),
  'qp-numbers-are-used-again': {
    does: 'a QP has the least number that no other has, and so that of one that was destroyed',
    because: 'no page says how long the number of a QP that was destroyed stays unused',
    parts: (of) => ({
      Device: class extends of.Device {
        override createQp(init: QpInit): Qp {
          if (init.srq !== undefined) this.refuseSrqFor(init.qpType);
          const qp = new this.parts.Qp(this, this.leastFree(), init);
          this.qps.set(qp.qpNum, qp);
          return qp;
        }

        protected leastFree(): number {
          let qpNum = 17;
          while (this.qps.has(qpNum)) qpNum += 1;
          return qpNum;
        }
      },
    }),
  },
  'r-keys-are-not-l-keys': {
    does: 'the R_Key of a memory region is another number than its L_Key, and has its highest bit set',
    because: 'ibv_reg_mr(3) has two keys and does not say that they are one number',
    parts: (of) => ({
      MemoryTable: class extends of.MemoryTable {
        override remote(
          ...[qp, rkey, addr, length, access]: Parameters<InstanceType<Parts['MemoryTable']>['remote']>
        ): Uint8Array | undefined {
          if (this.mrs.has(rkey)) return undefined;
          const lkey = otherKey(rkey);
          return super.remote(qp, this.mrs.has(lkey) ? lkey : rkey, addr, length, access);
        }
      },
      Verbs: class extends of.Verbs {
        override call(name: VerbName, args: TraceStruct): Success | Promise<Success> {
          const success = super.call(name, args);
          if (name !== 'ibv_reg_mr' || success instanceof Promise) return success;
          return { ...success, outputs: { ...success.outputs, rkey: otherKey(Number(success.outputs.rkey)) } };
        }
      },
    }),
  },
  'one-comp-vector': vectors('there is one completion vector', 1),
  'many-comp-vectors': vectors('there are 63 completion vectors', 63),
  'infiniband-port': {
    does: 'the second of two ports is on InfiniBand, with a LID and several P_Keys and GIDs',
    because: 'ibv_query_port(3) says what a port is',
    parts: (of) => ({
      Device: class extends of.Device {
        override get attr(): TraceStruct {
          return { ...super.attr, physPortCnt: 2 };
        }

        override get portAttr(): TraceStruct {
          return {
            ...super.portAttr,
            linkLayer: 'IBV_LINK_LAYER_INFINIBAND',
            lid: 0x1234,
            pkeyTblLen: 128,
            gidTblLen: 8,
          };
        }
      },
    }),
  },
  'limited-pkey-first': {
    does: 'the port is a limited member of its first partition and a full one of the second, by its P_Key table',
    because: 'a subnet manager makes a port what it likes, and ibv_query_pkey(3) says what that is',
    parts: (of) => ({
      Device: class extends of.Device {
        override readonly pkeys: readonly number[] = [0x7fff, 0x8001];

        override get portAttr(): TraceStruct {
          return { ...super.portAttr, pkeyTblLen: this.pkeys.length };
        }
      },
    }),
  },
  'fewer-entries-at-most': {
    does: 'a CQ has 4095 entries at most',
    because: 'ibv_query_device(3) says how many there can be',
    parts: (of) => ({
      Device: class extends of.Device {
        override readonly maxCqe: number = 4095;
      },
    }),
  },
};
