import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { GuestProcess } from './guest-process';

const exit = { code: 3, signal: null, stderrTail: 'bye' };

/** A process on a port that writes down what it is asked. */
function start(): { guest: GuestProcess; asked: string[] } {
  const asked: string[] = [];
  const write = (chunk: Buffer, done: () => void): void => {
    asked.push(`write ${chunk.toString()}`);
    done();
  };
  const kill = (): void => void asked.push('kill');
  const hold = (): void => void asked.push('hold');
  const threads = (): Promise<string> => {
    asked.push('threads');
    return Promise.resolve('main thread: state S');
  };
  const starvation = () => () => 0;
  return { guest: new GuestProcess({ write, kill, hold, starvation, threads }), asked };
}

describe('GuestProcess', () => {
  it('ends when both its exit and its last output are there, in either order', async () => {
    for (const exitFirst of [true, false]) {
      const { guest } = start();
      const last = (): void => {
        guest.takeOutput(Buffer.from(`last${guest.marker}of another`));
      };
      if (!exitFirst) last();
      guest.takeExit(exit);
      if (exitFirst) last();
      assert.deepEqual(await guest.ended, exit);
      assert.equal(Buffer.concat(await guest.output.toArray()).toString(), 'last');
    }
  });

  it('ends with the reason when the VM is lost', async () => {
    const { guest } = start();
    guest.lose({ code: null, signal: null, stderrTail: 'the VM ended', panic: 'Kernel panic' });
    assert.equal((await guest.ended).panic, 'Kernel panic');
    assert.deepEqual(await guest.output.toArray(), []);
  });

  it('passes nothing on once it has ended', async () => {
    const { guest, asked } = start();
    guest.input.write('a');
    guest.lose(exit);
    guest.input.write('b');
    guest.kill();
    guest.input.end();
    await setImmediate();
    assert.deepEqual(asked, ['write a']);
  });

  it('is killed when its input ends', async () => {
    const { guest, asked } = start();
    guest.input.end('a');
    await setImmediate();
    assert.deepEqual(asked, ['write a', 'kill']);
  });
});
