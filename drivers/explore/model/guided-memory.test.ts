import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOf } from '../../programs/check-program';
import { programVersion, type Op, type Program } from '../../programs/program';
import { runProgram } from '../../programs/run-program';
import { soundParts, type Parts } from '../../sim/device/device';
import { SimBackend } from '../../sim/backend';
import type { WcStatus } from '../../sim/cq/completions';
import type { Answer, Nak } from '../../sim/qp/message';
import { Explorer } from '../explorer';

const program = programOf(readFileSync(join(__dirname, '../fixtures/empty-messages.json'), 'utf8'));

/** Memory of which only those keys are looked at that a byte goes by. */
const withUncheckedMemory: Parts = {
  ...soundParts,
  Responder: class extends soundParts.Responder {
    override receive(message: Parameters<InstanceType<typeof soundParts.Responder>['receive']>[0]) {
      const { first } = this.qp.receives;
      const isEmpty = message.payload.length + message.grh.length === 0;
      if (isEmpty && first !== undefined) Object.assign(first, { sgList: [] });
      return super.receive(message);
    }
  },
  MemoryTable: class extends soundParts.MemoryTable {
    override remote(...args: Parameters<InstanceType<typeof soundParts.MemoryTable>['remote']>) {
      return super.remote(...args) ?? (args[3] === 0 ? new Uint8Array() : undefined);
    }
  },
};

test('a device may look at memory that no byte of a message comes into, or not', async () => {
  for (const parts of [soundParts, withUncheckedMemory])
    assert.equal((await new Explorer(new SimBackend(parts)).examine(program)).kind, 'sound');
});

test('no device writes where there is no memory, whatever else it may do', async () => {
  const text = readFileSync(join(__dirname, '../fixtures/kept-region.json'), 'utf8');
  const beyond = { addr: { of: 'mem10', member: 'addr', plus: 8190 }, length: 16, lkey: { of: 'mr9', member: 'lkey' } };
  const sends = text.replaceAll('IBV_WR_RDMA_WRITE_WITH_IMM', 'IBV_WR_SEND');
  const written = programOf(sends.replace('"sgList": []', `"sgList": [${JSON.stringify(beyond)}]`));
  const poll: Op = { call: 'ibv_poll_cq', args: { cq: { of: 'cq2' }, numEntries: 4 } };
  const firstSettle = written.ops.findIndex((op) => 'settle' in op);
  const otherwise: Parts = {
    ...soundParts,
    Responder: class extends soundParts.Responder {
      protected override fail(status: WcStatus, nak: Nak): Answer {
        return super.fail(status === 'IBV_WC_LOC_PROT_ERR' ? 'IBV_WC_LOC_QP_OP_ERR' : status, nak);
      }
    },
  };
  for (const [parts, kind] of [
    [soundParts, 'sound'],
    [otherwise, 'finding'],
  ] as const)
    assert.equal(
      (
        await new Explorer(new SimBackend(parts)).examine({
          ...written,
          ops: [...written.ops.slice(0, firstSettle + 1), poll],
        })
      ).kind,
      kind,
    );
});

/** What becomes of a program of a device that needs no settle, and of which all bytes are 0 that its last call reads. */
async function judgedWithZeroes(ops: readonly Op[], isFast = true): Promise<string> {
  const { records } = await runProgram(new SimBackend(soundParts), { version: programVersion, seed: 'zeroes', ops });
  const zeroes = { bytes: '00'.repeat(10) };
  const observed = records.map((record, at) =>
    record && at === records.length - 1 ? { ...record, outputs: zeroes } : record,
  );
  const explorer = new Explorer(new SimBackend(soundParts), { execute: () => Promise.resolve(observed) });
  const judged = isFast ? ops.filter((op) => op !== settle) : ops;
  return (await explorer.examine({ version: programVersion, seed: 'zeroes', ops: judged })).kind;
}

const settle: Op = { settle: true };

test('an answer may come late as long as its send is not known to be done', async () => {
  const text = readFileSync(join(__dirname, '../fixtures/rxe/6.12/memory/answer-that-is-not-there-yet.json'), 'utf8');
  const { ops } = (JSON.parse(text) as { program: Program }).program;
  const [before, reads] = [ops.slice(0, -2), ops.slice(-2)];
  const poll: Op = { call: 'ibv_poll_cq', args: { cq: { of: 'cq2' }, numEntries: 4 } };
  assert.equal(await judgedWithZeroes([...before, settle, ...reads]), 'sound');
  assert.equal(await judgedWithZeroes([...before, settle, poll, ...reads]), 'finding');
  assert.equal(await judgedWithZeroes([...before, settle, ...reads], false), 'finding');
});
