import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { starvationOf } from './starvation';

/** The program of a process that keeps its processor busy for so long, and prints a line at the end. */
const busy = (ms: number): string => `const end = Date.now() + ${ms}; while (Date.now() < end); console.log('over')`;

describe('the starvation of a process', () => {
  it('is what others on its processor take from it', async (context) => {
    const [, processor = '0'] = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
    const start = (): ReturnType<typeof spawn> =>
      spawn('taskset', ['-c', processor, process.execPath, '-e', busy(1500)], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [one, other] = [start(), start()];
    context.after(() => [one, other].map((process) => process.kill('SIGKILL')));
    const starvation = starvationOf(one.pid ?? 0);
    assert.ok(starvation() < 1500);
    if (one.stdout !== null) await once(one.stdout, 'data');
    assert.ok(starvation() > 200, `${starvation()} ms`);
  });

  it('is nothing of a process that there is not', () => {
    assert.equal(starvationOf(0)(), 0);
  });
});
