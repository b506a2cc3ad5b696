import { anySizes, type Sizes } from '../../drivers/explore/generate/sizes';
import type { Backend } from '../../drivers/pipeline/backend';
import { programVersion, type CallOp, type Program, type ProgramRecord } from '../../drivers/programs/program';
import { runProgram, type Patience } from '../../drivers/programs/run-program';

/** Bytes of inline data that programs ask for at most, and less that devices are known to have. */
const inlineSizes = [71, 64, 48, 32] as const;

const open: CallOp = { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' };
const ask: CallOp = { call: 'ibv_query_device', args: { context: { of: 'ctx' } } };

/** Makes a QP with so much room for inline data. */
function makeQp(qpType: string, maxInlineData: number): CallOp[] {
  const cap = { maxSendWr: 1, maxRecvWr: 1, maxSendSge: 1, maxRecvSge: 1, maxInlineData };
  const qpInitAttr = { sendCq: { of: 'cq' }, recvCq: { of: 'cq' }, srq: null, cap, qpType, sqSigAll: false };
  return [
    { call: 'ibv_alloc_pd', args: { context: { of: 'ctx' } }, as: 'pd' },
    {
      call: 'ibv_create_cq',
      args: { context: { of: 'ctx' }, cqe: 1, cqContext: '0x0', channel: null, compVector: 0 },
      as: 'cq',
    },
    { call: 'ibv_create_qp', args: { pd: { of: 'pd' }, qpInitAttr }, as: 'qp' },
  ];
}

/**
 * What the queues of a device take: entries of scatter/gather lists as ibv_query_device(3) gives them, of QPs, of reads and, where it has
 * them, of SRQs; and inline data, of which no page has a limit, as ibv_create_qp(3) accepts it.
 */
export async function sizesOf(backend: Backend, patience: Patience): Promise<Sizes> {
  const device = await outcomeOf(backend, patience, [ask]);
  const { maxSge, maxSrqSge, maxSgeRd } = device?.outputs ?? {};
  const entries = fewest(maxSge, maxSrqSge);
  const readEntries = fewest(maxSgeRd);
  const { capabilities } = backend.dut;
  if (!capabilities.includes('inline')) return { ...anySizes, entries, readEntries };
  const qpType = capabilities.includes('connection') ? 'IBV_QPT_RC' : 'IBV_QPT_UD';
  for (const bytes of inlineSizes) {
    const made = await outcomeOf(backend, patience, makeQp(qpType, bytes));
    if (made?.returned !== null)
      return { entries, readEntries, inlineBytes: bytes === inlineSizes[0] ? Infinity : bytes };
  }
  return { ...anySizes, entries, readEntries };
}

/** What a device does not tell, or tells as nothing, is no bound. */
const fewest = (...told: readonly unknown[]): number =>
  Math.min(Infinity, ...told.map(Number).filter((most) => most > 0));

/** What comes of the last of several calls. */
async function outcomeOf(
  backend: Backend,
  patience: Patience,
  calls: readonly CallOp[],
): Promise<ProgramRecord | undefined> {
  const program: Program = { version: programVersion, seed: 'sizes', ops: [open, ...calls] };
  const { records } = await runProgram(backend, program, { patience });
  await backend.end();
  return records[calls.length];
}
