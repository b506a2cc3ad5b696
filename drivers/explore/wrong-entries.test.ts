import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { programOf } from '../programs/check-program';
import type { CallOp, Program } from '../programs/program';
import { SimBackend } from '../sim/backend';
import { soundParts, type Parts } from '../sim/device/device';
import type { Answer, Message } from '../sim/qp/message';
import { Explorer } from './explorer';

const fixture = join(__dirname, 'fixtures/rxe/6.12/memory/entry-before-a-wrong-one.json');

/** A device that fills so many entries of a receive, of which the second names memory by a wrong key, and fails it then. */
const filling = (entries: number): Parts => ({
  ...soundParts,
  Responder: class extends soundParts.Responder {
    override receive(message: Message): Answer {
      const { sgList = [] } = this.qp.receives.first ?? {};
      const answer = super.receive(message);
      let from = 0;
      for (const { addr, length } of answer.kind === 'operation-error' ? sgList.slice(0, entries) : []) {
        this.qp.device.memory.at(addr, length).set(message.payload.subarray(from, from + length));
        from += length;
      }
      return answer;
    }
  },
});

/** A send of 16 bytes from each of two places to a receive of two entries, after which these are looked at. */
function programThatLooks(): Program {
  const { program } = JSON.parse(readFileSync(fixture, 'utf8')) as { program: Program };
  const [last] = program.ops.slice(-1) as [CallOp];
  const addr = (plus: number): CallOp['args'] => ({ addr: { of: 'mem34', member: 'addr', plus }, length: 16 });
  const write: CallOp = {
    call: 'memory write',
    args: { addr: { of: 'mem34', member: 'addr', plus: 8176 }, bytes: '5a'.repeat(16) },
  };
  const at = program.ops.findIndex((op) => 'call' in op && op.call === 'ibv_post_send');
  const [send, ...rest] = program.ops.slice(at) as CallOp[];
  const ops = [...program.ops.slice(0, at), write, send, { settle: true }, ...rest, { ...last, args: addr(2896) }];
  return programOf(JSON.stringify({ ...program, ops }));
}

async function kindOf(entries: number): Promise<string> {
  return (await new Explorer(new SimBackend(filling(entries))).examine(programThatLooks())).kind;
}

describe('a receive of which an entry may not be written', () => {
  it('may have filled those before it', async () => {
    assert.equal(await kindOf(0), 'sound');
    assert.equal(await kindOf(1), 'sound');
  });

  it('has not filled that one', async () => {
    assert.equal(await kindOf(2), 'finding');
  });
});
