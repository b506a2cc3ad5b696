/** The device under test with its environment, as far as it is known; keys follow ibv_devinfo(1). */
export interface Dut {
  readonly hcaId: string;
  readonly transport: string;
  readonly fwVer: string;
  readonly nodeGuid: string;
  readonly vendorId: number;
  readonly vendorPartId: number;
  readonly hwVer: number;
  readonly physPortCnt: number;
  readonly port: DutPort;
  /** User-space provider: `rxe`, `mlx5`, … */
  readonly provider: string;
  /** What the simulator behaves like in place of the sound one. */
  readonly profile?: DutProfile;
  /** Release of the kernel that carries the device, `uname -r`. */
  readonly kernel: string;
  /** The kernel module of the device, where the user has put his own in place of that of the kernel. */
  readonly module?: DutModule;
  /** Version of the libibverbs that executes the verbs. */
  readonly rdmaCore: string;
  /** Distribution whose user space executes the verbs, as its os-release calls itself. */
  readonly distribution?: string;
  /** Kernel modules that drive the device. */
  readonly modules?: readonly KernelModule[];
  /** What the kernel thinks of itself. */
  readonly taint?: DutTaint;
  readonly capabilities: readonly Capability[];
}

/** A simulator that does otherwise than the sound one. */
export interface DutProfile {
  /** Profile of a provider, or lawful variants: `connectx`, `without-srq,without-uc`. */
  readonly name: string;
  /** What it rests on, as a run says it. */
  readonly basis: string;
}

/** A kernel module that is not the kernel's own. */
export interface DutModule {
  readonly name: string;
  /** Name of the file, without its folder. */
  readonly file: string;
  /** Of the file, in hexadecimal digits. */
  readonly sha256: string;
}

/** A loaded module of the kernel, as sysfs reports it. */
export interface KernelModule {
  readonly name: string;
  readonly version?: string;
  /** Checksum of its sources. */
  readonly srcversion?: string;
  /** 40 hexadecimal digits that the linker gave it. */
  readonly buildId?: string;
  /** Those that can be read, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Why its makers would look at a kernel with suspicion; 0 and nothing for one that they would not. */
export interface DutTaint {
  /** As /proc/sys/kernel/tainted has it. */
  readonly mask: number;
  /** In words, with the letter of the kernel's own messages: `out-of-tree module (O)`. */
  readonly reasons: readonly string[];
}

/** The port and GID that connections of this run use. */
export interface DutPort {
  readonly portNum: number;
  readonly state: string;
  readonly linkLayer: string;
  /** Bytes. */
  readonly maxMtu: number;
  /** Bytes. */
  readonly activeMtu: number;
  /** 0 where the link layer has none, as on Ethernet. */
  readonly lid: number;
  readonly gidIndex: number;
  /** In the P_Key table of the port; 0 unless given. */
  readonly pkeyIndex?: number;
  /** 32 hexadecimal digits in groups of four. */
  readonly gid: string;
  /** `IB/RoCE v1` or `RoCE v2`. */
  readonly gidType?: string;
  /** Network interface behind the GID, or an empty string. */
  readonly netdev: string;
}

/**
 * What a scenario may ask of a device with `@needs.<capability>`, tried on the device and never read from its name
 * (`drivers/pipeline/trials/`); `connection` says that ibv_modify_qp(3) connects QPs, and `port-control` that this run owns
 * the link of the port and may take it down. What is not plain from its name has its words in {@link causes}.
 */
export const capabilities = [
  'connection',
  'srq',
  'uc',
  'ud',
  'inline',
  'atomics',
  'memory-windows',
  'send-with-invalidate',
  'sq-drain',
  'cq-notifications',
  'solicited-events',
  'arm-ignores-backlog',
  'arm-before-get',
  'cq-overrun-event',
  'last-wqe-event',
  'extended-cq',
  'wc-byte-len',
  'wc-imm',
  'wc-qp-num',
  'wc-src-qp',
  'wc-slid',
  'wc-sl',
  'wc-dlid-path-bits',
  'resize-cq',
  'cq-moderation',
  'completion-timestamps',
  'port-control',
] as const;
export type Capability = (typeof capabilities)[number];

/** `@needs.datagrams`: UD QPs and no others, so the `connection` that its Feature needs is not needed here. */
const datagrams = 'datagrams';

/** What stands for some of them in `@needs`: all members of IBV_WC_STANDARD_FLAGS, or UD QPs alone. */
export const capabilityGroups: Readonly<Record<string, readonly Capability[]>> = {
  [datagrams]: ['ud'],
  'standard-wc-flags': ['wc-byte-len', 'wc-imm', 'wc-qp-num', 'wc-src-qp', 'wc-slid', 'wc-sl', 'wc-dlid-path-bits'],
};

/** What there is to add to the lack of a capability. */
const causes: Readonly<Partial<Record<Capability, string>>> = {
  connection: 'ibv_modify_qp() does not connect its QPs',
  'send-with-invalidate': 'it refuses IBV_WR_SEND_WITH_INV',
  'sq-drain': 'it refuses to move a QP from IBV_QPS_RTS to IBV_QPS_SQD',
  'cq-notifications': 'it refuses a CQ on a completion channel, or to arm it',
  'solicited-events': 'it refuses to arm a CQ for solicited CQEs only',
  'arm-ignores-backlog': 'an arm of a CQ that holds unpolled CQEs brings an event at once',
  'arm-before-get': 'an arm counts only after ibv_get_cq_event() has taken the event of the arm before',
  'cq-overrun-event': 'an overrun of a CQ raises no IBV_EVENT_CQ_ERR',
  'last-wqe-event': 'a QP with an SRQ that goes to IBV_QPS_ERR raises no IBV_EVENT_QP_LAST_WQE_REACHED',
  'extended-cq': 'it refuses ibv_create_cq_ex()',
  'wc-byte-len': lackOfFlag('BYTE_LEN'),
  'wc-imm': lackOfFlag('IMM'),
  'wc-qp-num': lackOfFlag('QP_NUM'),
  'wc-src-qp': lackOfFlag('SRC_QP'),
  'wc-slid': lackOfFlag('SLID'),
  'wc-sl': lackOfFlag('SL'),
  'wc-dlid-path-bits': lackOfFlag('DLID_PATH_BITS'),
  'resize-cq': 'it refuses ibv_resize_cq()',
  'cq-moderation': 'it refuses ibv_modify_cq()',
  'completion-timestamps': `${lackOfFlag('COMPLETION_TIMESTAMP')}, or its time stamps have fewer than 32 bits`,
};

function lackOfFlag(member: string): string {
  return `it refuses an extended CQ with IBV_WC_EX_WITH_${member}`;
}

/** `@needs.rdma-core-65`: the pages promise it from that release of rdma-core on. */
export const rdmaCoreNeed = /^rdma-core-(\d+)$/;

/** What the tags of a scenario say that it needs. */
export function needsIn(tags: readonly string[]): string[] {
  const needs = tags.flatMap((tag) => /^@needs\.(.+)$/.exec(tag)?.[1] ?? []);
  return needs.includes(datagrams) ? needs.filter((need) => need !== 'connection') : needs;
}

/**
 * Why a DUT has not what a scenario asks for.
 *
 * @param need - a {@link Capability}, or a release of rdma-core as {@link rdmaCoreNeed} has it
 * @returns `undefined` if it has it; the simulator, which has no rdma-core, is as the newest pages say
 */
export function lackOf(dut: Dut, need: string): string | undefined {
  const release = rdmaCoreNeed.exec(need)?.[1];
  if (release === undefined) {
    const available: readonly string[] = dut.capabilities;
    const lacking = (capabilityGroups[need] ?? [need]).find((one) => !available.includes(one));
    return lacking === undefined ? undefined : lackText(lacking);
  }
  const older = Number.parseInt(dut.rdmaCore, 10) < Number(release);
  return older ? `the pages of rdma-core promise it from ${release} on, this is ${dut.rdmaCore}` : undefined;
}

/** The words for a capability that a device has not. */
export function lackText(capability: string): string {
  const cause = isCapability(capability) ? causes[capability] : undefined;
  return `the device lacks ${capability}${cause === undefined ? '' : `: ${cause}`}`;
}

function isCapability(name: string): name is Capability {
  return (capabilities as readonly string[]).includes(name);
}
