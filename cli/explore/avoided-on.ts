import type { Backend } from '../../drivers/pipeline/backend';
import {
  behindTheLast,
  fencedSendStays,
  ignoringOverruns,
  limitAtCreation,
  linkOfOthers,
  localInvalidationOfUc,
  refusedSendStays,
  secondBinding,
  secondInvalidation,
  sendOfSqdStays,
  windowKeepsItsQp,
} from '../../drivers/explore/generate/avoided';
import { programVersion, type Program } from '../../drivers/programs/program';
import { runProgram, type Patience } from '../../drivers/programs/run-program';

const flags = ['IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN'];
const cqAttr = { cqe: 1, cqContext: '0x0', channel: null, compVector: 0, wcFlags: [], flags, compMask: [] };

const asking: Program = {
  version: programVersion,
  seed: 'flags',
  ops: [
    { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' },
    { call: 'ibv_create_cq_ex', args: { context: { of: 'ctx' }, cqAttr }, as: 'cq' },
    { call: 'ibv_destroy_cq', args: { cq: { of: 'cq' } } },
    { call: 'ibv_close_device', args: { context: { of: 'ctx' } } },
  ],
};

/** What programs go around where a device does not keep it: nothing can be foreseen after it. */
const lasting = [
  behindTheLast,
  fencedSendStays,
  limitAtCreation,
  localInvalidationOfUc,
  refusedSendStays,
  secondBinding,
  secondInvalidation,
  sendOfSqdStays,
  windowKeepsItsQp,
];

/**
 * The clauses around which programs are made for a device that does not keep these.
 *
 * @param isReached - whether the device can be reached while a program runs
 */
export async function avoidedOn(
  backend: Backend,
  patience: Patience,
  notKept: ReadonlySet<string>,
  isReached: boolean,
): Promise<ReadonlySet<string>> {
  const lost = lasting.filter((clause) => notKept.has(clause));
  const ownsLink = isReached && backend.dut.capabilities.includes('port-control');
  return new Set([...lost, ...(ownsLink ? [] : [linkOfOthers]), ...(await refusedFlags(backend, patience))]);
}

/**
 * The clauses of what a device refuses, as it may: a program that asks for it has no CQ, and leaves out most of what follows.
 */
async function refusedFlags(backend: Backend, patience: Patience): Promise<readonly string[]> {
  if (!backend.dut.capabilities.includes('extended-cq')) return [];
  const { records } = await runProgram(backend, asking, { patience });
  await backend.end();
  const made = records.find((record) => record?.verb === 'ibv_create_cq_ex');
  return made?.returned === null ? [ignoringOverruns] : [];
}
