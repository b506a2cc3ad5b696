import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Command, until } from '../../cli/fixtures/command';
import { Load } from './load';

const loaded = ['--require', join(__dirname, '..', 'typescript.js'), join(__dirname, 'fixtures', 'loaded.ts')];

function children(): string[] {
  const tasks = readdirSync('/proc/self/task');
  const lists = tasks.map((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8'));
  return lists.flatMap((list) => list.split(' ').filter((pid) => pid !== ''));
}

/** Clock ticks that a process has spent in its own code. */
function ticks(pid: string): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[13]);
}

describe('the load beside a soak', () => {
  it('keeps as many CPUs busy as were asked for, until it is ended', async () => {
    const before = children();
    const load = new Load(2);
    const busy = children().filter((pid) => !before.includes(pid));
    assert.equal(busy.length, 2);
    await until('both have worked for a second', () => busy.every((pid) => ticks(pid) > 100));
    load.end();
    await until('both are gone', () => !children().some((pid) => busy.includes(pid)));
  });

  it('is gone with the process that has it, even if that is killed', async () => {
    const command = new Command([], {}, undefined, loaded);
    await command.said(/loaded/);
    command.signal('SIGKILL');
    assert.equal((await command.finish()).signal, 'SIGKILL');
    await command.leavesNoProcess();
  });
});
