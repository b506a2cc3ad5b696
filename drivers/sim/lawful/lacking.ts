import type { Capability, TraceStruct } from '../../contract';
import type { VerbName } from '../../verbs';
import { stringsOf, stringOf } from '../../pipeline/values';
import type { Parts } from '../device/device';
import { refusing } from './refusing';
import type { Variant, Variants } from './variant';

type PartsOf = Variant['parts'];

/** A device that cannot do what is optional. */
function without(does: string, lacks: readonly Capability[], because: string, ...parts: readonly PartsOf[]): Variant {
  return {
    does,
    because,
    lacks,
    parts: (of) => parts.reduce((made, one) => ({ ...made, ...one({ ...of, ...made }) }), {}),
  };
}

/** The capabilities of extended CQs, by the flags that ask for them. */
const members = {
  IBV_WC_EX_WITH_BYTE_LEN: 'wc-byte-len',
  IBV_WC_EX_WITH_IMM: 'wc-imm',
  IBV_WC_EX_WITH_QP_NUM: 'wc-qp-num',
  IBV_WC_EX_WITH_SRC_QP: 'wc-src-qp',
  IBV_WC_EX_WITH_SLID: 'wc-slid',
  IBV_WC_EX_WITH_SL: 'wc-sl',
  IBV_WC_EX_WITH_DLID_PATH_BITS: 'wc-dlid-path-bits',
  IBV_WC_EX_WITH_COMPLETION_TIMESTAMP: 'completion-timestamps',
} as const satisfies Record<string, Capability>;

function withoutMember([flag, capability]: readonly [string, Capability]): readonly [string, Variant] {
  const wants = ({ cqAttr }: TraceStruct): boolean => stringsOf(cqAttr as TraceStruct, 'wcFlags').includes(flag);
  const variant = without(
    `an extended CQ with ${flag} is refused`,
    [capability],
    'the page does not say that a device has all members; irdma has no dlid_path_bits',
    refusing(['ibv_create_cq_ex'], 'EOPNOTSUPP', wants),
  );
  const uses = ['ibv_create_cq_ex', 'ibv_create_cq_ex.attr-wc-flags'];
  const more = capability === 'wc-imm' ? ['ibv_create_cq_ex.read-invalidated-rkey'] : [];
  return [`without-${capability}`, { ...variant, uses: [...uses, ...more] }];
}

const optional = 'the page, or the specification behind it, makes it optional';

const queuePairs = (isMeant: (init: TraceStruct) => boolean): PartsOf =>
  refusing(['ibv_create_qp'], 'EOPNOTSUPP', ({ qpInitAttr }) => isMeant(qpInitAttr as TraceStruct));

const ofType = (type: string) => queuePairs((init) => stringOf(init, 'qpType') === type);

/** Work of some opcodes that is refused. */
const sends = (...opcodes: readonly string[]): PartsOf =>
  refusing(['ibv_post_send'], 'EOPNOTSUPP', ({ wrs }) =>
    (wrs as readonly TraceStruct[]).some((wr) => opcodes.includes(stringOf(wr, 'opcode'))),
  );

const saying =
  (attr: TraceStruct): PartsOf =>
  (of) => ({
    Device: class extends of.Device {
      override get attr(): TraceStruct {
        return { ...super.attr, ...attr };
      }
    },
  });

const cqMakers: readonly VerbName[] = ['ibv_create_cq', 'ibv_create_cq_ex'];

const asksForChannel = ({ channel, cqAttr }: TraceStruct): boolean =>
  (channel ?? (cqAttr as TraceStruct | undefined)?.channel ?? null) !== null;

const withoutOverrunEvent: PartsOf = (of: Parts) => ({
  Cq: class extends of.Cq {
    protected override fail(): void {
      this.overrun = true;
    }
  },
});

const withoutLastWqe: PartsOf = (of: Parts) => ({
  Qp: class extends of.Qp {
    protected override reachLastWqe(): void {
      // it has no such event
    }
  },
});

/** What shows with RC QPs alone. */
const connected: readonly Capability[] = [
  'atomics',
  'memory-windows',
  'send-with-invalidate',
  'sq-drain',
  'last-wqe-event',
];

/** What shows with messages of any QP. */
const overWire: readonly Capability[] = ['inline', 'arm-ignores-backlog', 'arm-before-get', 'cq-overrun-event'];

/** What needs an event of a completion channel. */
const notifying: readonly Capability[] = [
  'cq-notifications',
  'solicited-events',
  'arm-ignores-backlog',
  'arm-before-get',
];

export const variants: Variants = {
  'without-srq': without(
    'there are no SRQs',
    ['srq', 'last-wqe-event'],
    optional,
    saying({ maxSrq: 0 }),
    refusing(['ibv_create_srq'], 'EOPNOTSUPP'),
  ),
  'without-uc': without('there are no UC QPs', ['uc'], optional, ofType('IBV_QPT_UC')),
  'without-ud': without('there are no UD QPs', ['ud'], optional, ofType('IBV_QPT_UD')),
  'without-inline': without(
    'QPs take no inline data',
    ['inline'],
    optional,
    queuePairs(({ cap }) => (cap as TraceStruct).maxInlineData !== 0),
  ),
  'without-atomics': without(
    'there are no atomic operations',
    ['atomics'],
    optional,
    saying({ atomicCap: 'IBV_ATOMIC_NONE' }),
    sends('IBV_WR_ATOMIC_CMP_AND_SWP', 'IBV_WR_ATOMIC_FETCH_AND_ADD'),
  ),
  'without-memory-windows': without(
    'there are no memory windows',
    ['memory-windows'],
    optional,
    saying({ deviceCapFlags: [] }),
    refusing(['ibv_alloc_mw'], 'EOPNOTSUPP'),
  ),
  'memory-windows-by-flag-alone': without(
    'the device says that it has memory windows, and refuses to make one',
    ['memory-windows'],
    'the kernel drivers of bnxt_re and hns set the flag, and their libraries have no such verb',
    refusing(['ibv_alloc_mw'], 'EOPNOTSUPP'),
  ),
  'without-send-with-invalidate': without(
    'a send that invalidates is refused',
    ['send-with-invalidate'],
    optional,
    sends('IBV_WR_SEND_WITH_INV'),
  ),
  'without-resize': {
    ...without('CQs keep their size', ['resize-cq'], optional, refusing(['ibv_resize_cq'], 'EOPNOTSUPP')),
    uses: ['ibv_resize_cq'],
  },
  'without-moderation': {
    ...without('CQs cannot be moderated', ['cq-moderation'], optional, refusing(['ibv_modify_cq'], 'EOPNOTSUPP')),
    uses: ['ibv_modify_cq'],
  },
  'without-extended-cqs': {
    ...without(
      'there are no extended CQs',
      ['extended-cq', ...Object.values(members)],
      optional,
      refusing(['ibv_create_cq_ex'], 'EOPNOTSUPP'),
    ),
    uses: ['ibv_create_cq_ex'],
  },
  ...Object.fromEntries(Object.entries(members).map(withoutMember)),
  'without-connected-qps': without(
    'there are UD QPs and no others',
    ['connection', 'uc', ...connected],
    'efa has no others but those of its own type',
    queuePairs((init) => stringOf(init, 'qpType') !== 'IBV_QPT_UD'),
  ),
  'without-connection': without(
    'ibv_modify_qp() brings no QP to IBV_QPS_RTR',
    ['connection', 'ud', 'uc', ...connected, ...overWire],
    'QPs of iWARP are connected otherwise',
    refusing(['ibv_modify_qp'], 'EOPNOTSUPP'),
  ),
  'without-solicited-events': without(
    'CQs cannot be armed for solicited CQEs alone',
    ['solicited-events'],
    'mana and efa refuse it',
    refusing(['ibv_req_notify_cq'], 'EOPNOTSUPP', ({ solicitedOnly }) => solicitedOnly !== 0),
  ),
  'without-notifications': without(
    'CQs have no completion channels',
    notifying,
    'some devices of efa do not notify',
    refusing(cqMakers, 'EOPNOTSUPP', asksForChannel),
    refusing(['ibv_req_notify_cq'], 'EOPNOTSUPP'),
  ),
  'without-overrun-event': {
    ...without(
      'a CQ that is overrun raises no event',
      ['cq-overrun-event'],
      'mana, efa and older kernels of bnxt_re raise none; the pages promise one, so two rules are violated and no others',
      withoutOverrunEvent,
    ),
    departs: ['ibv_get_async_event.event-cq-err', 'ibv_poll_cq.overrun-async-event'],
  },
  'without-sq-drain': without(
    'QPs do not enter IBV_QPS_SQD',
    ['sq-drain'],
    'mlx5 and hns refuse it',
    refusing(['ibv_modify_qp'], 'EINVAL', ({ attr, attrMask }) => {
      const isAsked = Array.isArray(attrMask) && attrMask.includes('IBV_QP_STATE');
      return isAsked && (attr as TraceStruct).qpState === 'IBV_QPS_SQD';
    }),
  ),
  'without-last-wqe-event': {
    ...without(
      'a QP of an SRQ raises no IBV_EVENT_QP_LAST_WQE_REACHED',
      ['last-wqe-event'],
      'the page does not say when the event has to be raised; the specification does',
      withoutLastWqe,
    ),
    breaks: ['ibv_get_async_event.event-last-wqe'],
  },
};
