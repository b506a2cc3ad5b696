import { HarnessError, type TraceValue, type WcReader } from '../../contract';
import type { Cq, Cqe } from './cq';
import { demand } from '../refusal';

/** What each reader needs in the wc_flags of its CQ; the others can always be called. */
const neededFlags: Readonly<Partial<Record<WcReader, string>>> = {
  byte_len: 'IBV_WC_EX_WITH_BYTE_LEN',
  imm_data: 'IBV_WC_EX_WITH_IMM',
  invalidated_rkey: 'IBV_WC_EX_WITH_IMM',
  qp_num: 'IBV_WC_EX_WITH_QP_NUM',
  src_qp: 'IBV_WC_EX_WITH_SRC_QP',
  slid: 'IBV_WC_EX_WITH_SLID',
  sl: 'IBV_WC_EX_WITH_SL',
  dlid_path_bits: 'IBV_WC_EX_WITH_DLID_PATH_BITS',
  completion_ts: 'IBV_WC_EX_WITH_COMPLETION_TIMESTAMP',
};

/** Polls an extended CQ in batches: ibv_start_poll(), ibv_next_poll(), ibv_end_poll() of ibv_create_cq_ex(3). */
export class CqIterator {
  protected current: Cqe | undefined;

  constructor(
    protected readonly cq: Cq,
    protected readonly wcFlags: ReadonlySet<string>,
  ) {}

  /** Rules ibv_create_cq_ex.start-begins-batch, .start-enoent, .start-enoent-still-valid, .start-success-readable. */
  start(): void {
    this.advance();
  }

  /** Rules ibv_create_cq_ex.next-advances, .next-enoent, .next-enoent-still-valid, .next-success-readable. */
  next(): void {
    this.advance();
  }

  /** Rules ibv_create_cq_ex.end-closes-batch, .end-then-new-start, .start-error-no-end, .next-error-needs-end. */
  end(): void {
    this.current = undefined;
  }

  protected advance(): void {
    [this.current] = this.cq.poll(1);
    demand(this.current !== undefined, 'ENOENT');
  }

  /** Rule ibv_create_cq_ex.direct-wr-id. */
  get wrId(): bigint {
    return this.completion.wc.wrId;
  }

  /** Rule ibv_create_cq_ex.direct-status. */
  get status(): string {
    return this.completion.wc.status;
  }

  /** Rule ibv_create_cq_ex.only-requested-fields: others have no reader, and a program that calls one crashes. */
  read(reader: WcReader): TraceValue {
    const flag = neededFlags[reader];
    if (flag !== undefined && !this.wcFlags.has(flag)) {
      throw new HarnessError(`ibv_wc_read_${reader}() was not asked for: ${flag} is not in the CQ's wc_flags`);
    }
    return this.member(reader, this.completion);
  }

  /** Rules ibv_create_cq_ex.current-completion, .read-opcode and those of the other readers. */
  protected member(reader: WcReader, { wc, atUs }: Cqe): TraceValue {
    switch (reader) {
      case 'opcode':
        return wc.opcode;
      case 'vendor_err':
        return wc.vendorErr;
      case 'byte_len':
        return wc.byteLen;
      case 'imm_data':
        return wc.immData;
      case 'invalidated_rkey':
        return wc.invalidatedRkey;
      case 'qp_num':
        return wc.qpNum;
      case 'src_qp':
        return wc.srcQp;
      case 'wc_flags':
        return wc.wcFlags;
      case 'slid':
        return wc.slid;
      case 'sl':
        return wc.sl;
      case 'dlid_path_bits':
        return wc.dlidPathBits;
      case 'completion_ts':
        return BigInt(Math.round(atUs * 1000)) & this.cq.context.device.timestampMask();
    }
  }

  protected get completion(): Cqe {
    if (this.current === undefined) throw new HarnessError('the iterator stands on no completion');
    return this.current;
  }
}
