import type { Capability } from '../../contract';
import { isRefused, refusalOf, type Bench } from './bench';
import type { Trial } from './trial';

/** Refusals that nothing can be the reason of but that there is no such function. */
const unsupported: readonly string[] = ['EOPNOTSUPP', 'ENOSYS'];

/** The member of struct ibv_cq_init_attr_ex that an extended CQ is tried with alone. */
const wcFlags = {
  'wc-byte-len': 'IBV_WC_EX_WITH_BYTE_LEN',
  'wc-imm': 'IBV_WC_EX_WITH_IMM',
  'wc-qp-num': 'IBV_WC_EX_WITH_QP_NUM',
  'wc-src-qp': 'IBV_WC_EX_WITH_SRC_QP',
  'wc-slid': 'IBV_WC_EX_WITH_SLID',
  'wc-sl': 'IBV_WC_EX_WITH_SL',
  'wc-dlid-path-bits': 'IBV_WC_EX_WITH_DLID_PATH_BITS',
  'completion-timestamps': 'IBV_WC_EX_WITH_COMPLETION_TIMESTAMP',
} as const satisfies Partial<Record<Capability, string>>;

/** What a CQ can that nothing is sent to. */
export const cqTrials: readonly Trial[] = [
  {
    capability: 'cq-notifications',
    shows: async ({ bench }) => {
      await bench.cq(1);
      const channel = await bench.channel();
      const cq = bench.cq(1, channel);
      return !(await isRefused(cq)) && !(await isRefused(bench.driver.reqNotifyCq(await cq, 0)));
    },
  },
  {
    capability: 'solicited-events',
    needs: ['cq-notifications'],
    shows: async ({ bench }) => {
      const cq = await bench.cq(1, await bench.channel());
      return !(await isRefused(bench.driver.reqNotifyCq(cq, 1)));
    },
  },
  {
    capability: 'extended-cq',
    shows: async ({ bench }) => !isUnsupported(await refusalOf(bench.extendedCq())),
  },
  ...Object.entries(wcFlags).map(([capability, flag]): Trial => ({
    capability: capability as keyof typeof wcFlags,
    needs: ['extended-cq'],
    shows: async ({ bench }) =>
      !(await isRefused(bench.extendedCq(flag))) && (capability !== 'completion-timestamps' || tellsTime(bench)),
  })),
  {
    capability: 'resize-cq',
    shows: async ({ bench }) => !isUnsupported(await refusalOf(bench.driver.resizeCq(await bench.cq(1), 2))),
  },
  {
    capability: 'cq-moderation',
    shows: async ({ bench }) => {
      const moderate = { cqCount: 1, cqPeriod: 1 };
      const attr = { attrMask: ['IBV_CQ_ATTR_MODERATE'], moderate };
      return !(await isRefused(bench.driver.modifyCq(await bench.cq(1), attr)));
    },
  },
];

/** Time stamps of fewer bits begin anew so soon that nobody can say which came first. */
const timestampMaskLeast = 0xffff_ffffn;

async function tellsTime({ driver, context }: Bench): Promise<boolean> {
  return (await driver.queryDeviceEx(context)).completionTimestampMask >= timestampMaskLeast;
}

function isUnsupported(refusal: { readonly errno: string } | undefined): boolean {
  return refusal !== undefined && unsupported.includes(refusal.errno);
}
