import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { HarnessError } from '../../contract';
import type { Op } from '../../programs/program';
import { LocalCarrier } from '../carriers/local-carrier';
import { deadlineMs } from './deadlines';
import { NativeBackend } from './native-backend';

const nodeArgs = [resolve(__dirname, '..', 'fixtures', 'fake-host.js')];

describe('a client that asks for whole programs', () => {
  const carrier = new LocalCarrier({ nodeArgs });
  let backend: NativeBackend;
  before(async () => {
    const limits = { eventMs: 10, quietMs: 10 };
    backend = await NativeBackend.start(carrier, { device: 'fake0', portNum: 1, gidIndex: 0, limits });
  });
  after(() => backend.close());

  async function execute(words: readonly string[], keep: readonly string[] = []) {
    await backend.begin();
    const programs = words.map((word) => ({ ops: [word] as unknown as Op[] }));
    return backend.executeWhole({ programs, deadlineMs: 1000, keep });
  }

  it('gets what each has come to, and tells what the device is', async () => {
    const [run, ...others] = await execute(['run']);
    assert.deepEqual(others, []);
    const [record, unmade] = run?.records ?? [];
    assert.equal(record?.verb, 'ibv_poll_cq');
    const { name, mtu } = (record.outputs.echo as { dut: { outputs: { name: string; mtu: string } } }).dut.outputs;
    assert.deepEqual([name, mtu, unmade], ['fake0', 'IBV_MTU_1024', undefined]);
    assert.deepEqual([run?.cleanup, run?.kept, run?.isLate, run?.hangs], [[], {}, false, false]);
  });

  it('hears of one that was refused, and of the others', async () => {
    const [refused, run] = await execute(['refuse', 'run']);
    assert.ok(refused?.refusal instanceof HarnessError);
    assert.match(refused.refusal.message, /the host refused a program: program 0 op 0: parameter cqe is missing/);
    assert.equal(run?.records.length, 2);
  });

  it('hears what was not destroyed, and what is kept', async () => {
    const [left] = await execute(['leave']);
    assert.deepEqual(
      left?.cleanup.map(({ errno, refused }) => [errno, refused]),
      [
        [16, undefined],
        [0, 'it is in use'],
      ],
    );
    const [kept] = await execute(['keep'], ['pd']);
    assert.deepEqual(kept?.kept, { pd: { handle: 'pd#1', outputs: {} } });
  });

  it('ends a host that hangs, and has a new one for what comes next', async () => {
    const before = backend.dut.kernel;
    const [hung] = await execute(['hang', 'run'].slice(0, 1));
    assert.deepEqual([hung?.hangs, hung?.isLate, hung?.records[0]?.blocked], [true, true, true]);
    const [run] = await execute(['run']);
    assert.equal(run?.hangs, false);
    assert.notEqual(backend.dut.kernel, before);
  });

  it('takes no answer with unknown functions', async () => {
    await assert.rejects(execute(['bogus']), /the host gave a malformed answer to programs: "verb" is ibv_bogus/);
  });
});

describe('the deadline of programs', () => {
  it('grows with their number, and has an end', () => {
    const [one = 0, two = 0, many = 0] = [1, 2, 1000].map((count) =>
      deadlineMs('programs', { programs: Array<number>(count).fill(0), deadlineMs: 5000 }, 1),
    );
    assert.ok(one >= 15_000 && two - one >= 5000);
    assert.ok(many <= 3_700_000);
  });
});
