import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { complaintsOf } from '../../contract';
import { checkedProgram } from '../../programs/check-program';
import type { Op, Program, ProgramRecord } from '../../programs/program';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { Explorer } from '../explorer';
import { behindTheLast } from '../generate/avoided';
import { areOfKeptRegions, overrunKeepsRegion } from './kept-regions';

const folder = join(__dirname, '..', 'fixtures');
const program = checkedProgram(JSON.parse(readFileSync(join(folder, 'kept-region.json'), 'utf8')));
const roomy = { ...program, ops: program.ops.map(withRoom) };

function withRoom(op: Op): Op {
  return 'call' in op && op.call === 'ibv_create_cq' ? { ...op, args: { ...op.args, cqe: 64 } } : op;
}

/** The CQ is overrun as well, by messages without a region. */
function asEmptySend(op: Op): Op {
  if (!('call' in op) || op.call !== 'ibv_post_send') return op;
  const wrs = [{ wrId: '0x1', sgList: [], opcode: 'IBV_WR_SEND', sendFlags: [] }];
  return { ...op, args: { ...op.args, wrs } };
}

const warningIn = (verb: string): string => `[    9.000000] WARNING: CPU: 0 PID: 7 at rxe_pool.c:255
[    9.000001]  ${verb}+0x24/0x40 [rdma_rxe]
[    9.000002] ---[ end trace 0 ]---
`;

/** What a device is found to be whose kernel says that of a program, and how often a known departure was met. */
async function outcomeOf(log: string, excused: readonly string[], of: Program = program): Promise<[string, number]> {
  class Warning extends SimBackend {
    kernelLog(): string {
      return log;
    }
  }
  const explorer = new Explorer(new Warning(soundParts), { excused: new Set(excused) });
  const { kind } = await explorer.examine(of);
  return [kind, explorer.ledger.excused.length];
}

describe('a region that stays where an RDMA write with immediate data overran a CQ', () => {
  it('is known on a device that is known for it, and counted', async () => {
    assert.deepEqual(await outcomeOf(warningIn('rxe_dereg_mr'), [overrunKeepsRegion]), ['sound', 1]);
    assert.deepEqual(await outcomeOf(warningIn('rxe_dereg_mr'), []), ['finding', 0]);
  });

  it('does not excuse other complaints beside it, nor other programs', async () => {
    const both = warningIn('rxe_dereg_mr') + warningIn('rxe_destroy_qp');
    assert.deepEqual(await outcomeOf(both, [overrunKeepsRegion]), ['finding', 0]);
    for (const other of [{ ...program, ops: program.ops.map(asEmptySend) }, roomy])
      assert.deepEqual(await outcomeOf(warningIn('rxe_dereg_mr'), [overrunKeepsRegion], other), ['finding', 0]);
  });

  it('is known as well where nobody knows any more what a CQ holds', async () => {
    const records: ProgramRecord[] = [{ verb: 'ibv_next_poll', args: {}, returned: 2, errno: 2, outputs: {} }];
    const complaints = complaintsOf(warningIn('rxe_dereg_mr'));
    for (const [excused, isKnown] of [
      [[overrunKeepsRegion, behindTheLast], true],
      [[overrunKeepsRegion], false],
      [[behindTheLast], false],
    ] as const) {
      const run = { program: roomy, records };
      assert.equal(await areOfKeptRegions(complaints, run, simulatedDut, new Set(excused)), isKnown);
    }
  });
});
