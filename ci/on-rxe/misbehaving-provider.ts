/**
 * Whatever a provider, a kernel or a VM does costs its scenario and no other, on a real rdma_rxe in a VM: each row of
 * cli/fixtures/misbehaving-provider.feature plants a fault, and has to come to the verdict that stands here.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { Command, until, verdictsIn, withoutJava, type CommandResult } from '../../cli/fixtures/command';
import {
  compileShim,
  misbehaviours,
  misbehaviourFeature,
  misbehaviourTag,
} from '../../cli/fixtures/misbehaving-provider';
import { scenariosOf, type ScenarioEntry } from '../../reports/judge/verdicts';
import type { ScenarioVerdict } from '../../catalog/verdict';

/** Milliseconds for a run with all its faults, which take three minutes here; the deadlines of the hangs end none of it. */
const runMaxMs = 3_600_000;

const driver = join(__dirname, '..', '..', 'cli', 'fixtures', 'faulty-vm.ts');

const mainBlocks =
  /did not return within \d+ s; in the host: main thread: state S, in system call 34, at __do_sys_pause/;

/** What each `verb fault` has to come to. */
const expected: Readonly<Record<string, readonly [ScenarioVerdict, RegExp]>> = {
  'no_verb none': ['pass', /^$/],
  'poll_cq segv': ['crash', /died of SIGSEGV in ibv_poll_cq\(\{ cq: 'cq#\d+', numEntries: 1 \}\)/],
  'destroy_cq segv': ['crash', /died of SIGSEGV in ibv_destroy_cq\(/],
  'req_notify_cq abort': ['crash', /died of SIGABRT in ibv_req_notify_cq\(\{ cq: 'cq#\d+', solicitedOnly: 0 \}\)/],
  'poll_cq exit': ['crash', /ended with exit code 7 in ibv_poll_cq\(/],
  'req_notify_cq garbage': ['fail', /ibv_req_notify_cq\(\) was refused: returned 12345, errno 12345/],
  'poll_cq garbage': ['fail', /ibv_poll_cq\(\) was refused: returned -12345/],
  'destroy_cq garbage': ['fail', /ibv_destroy_cq\(\) was refused: returned 12345/],
  'poll_cq print': ['pass', /^$/],
  'destroy_cq print': ['pass', /^$/],
  'poll_cq leak': [
    'broken',
    /leak: the scenario left behind an open \/dev\/infiniband\/uverbs0, .*1 ctx in the kernel/,
  ],
  'req_notify_cq block': ['hang', mainBlocks],
  'destroy_cq block': ['hang', /in the host: main thread: .*; thread \d+ in a verb: state S, in system call 34/],
  'poll_cq spin': ['hang', /ibv_poll_cq\(.* did not return within \d+ s; in the host: main thread: state R/],
  'poll_cq warn': ['panic', /the kernel of the device complained: WARNING: CPU: 0 PID: 1 at planted\.c:1/],
  'poll_cq taint': ['panic', /the kernel of the DUT is tainted: 512 after the scenario, 0 before it/],
  'poll_cq panic': ['panic', /the kernel of the DUT died in ibv_poll_cq\(.*Kernel panic - not syncing: sysrq/],
  'poll_cq freeze': ['hang', /ibv_poll_cq\(.* did not return within \d+ s; in the host: main thread: state D/],
  'resize_cq outage': ['broken', /the VM was ended by SIGKILL in ibv_resize_cq\(/],
};

const folder = mkdtempSync(join(tmpdir(), 'verbspec-planted-'));

before(() => {
  mkdirSync(join(folder, 'tmp'));
  compileShim(join(folder, 'shim.so'));
});

after(() => {
  rmSync(folder, { recursive: true });
});

/** @param names - scenarios to run; all unless given */
function start(out: string, names: readonly string[] = [], more: NodeJS.ProcessEnv = {}): Command {
  const run = ['run', '--driver', driver, '--kernel', '6.1', '--out', join(folder, out)];
  const env = { ...withoutJava, TMPDIR: join(folder, 'tmp'), VERBSPEC_SHIM_LIBRARY: join(folder, 'shim.so'), ...more };
  const selection = ['--tags', misbehaviourTag, ...names.flatMap((name) => ['--name', name])];
  return new Command([...run, '--', misbehaviourFeature, ...selection], env);
}

async function finish(command: Command): Promise<CommandResult> {
  const result = await command.finish(runMaxMs);
  process.stderr.write(result.stderr);
  await command.leavesNoProcess();
  const left = readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('verbspec'));
  assert.deepEqual(left, [], 'temporary files');
  return result;
}

function scenarios(out: string): readonly ScenarioEntry[] {
  return scenariosOf(verdictsIn(join(folder, out)));
}

it('each fault has its verdict, and costs no other scenario', async () => {
  const { code, stdout } = await finish(start('all'));
  assert.equal(code, 1, stdout);
  const found = scenarios('all').map(({ name, verdict, detail = '' }) => ({ name, verdict, detail }));
  assert.deepEqual(
    found.map(({ name }) => name),
    misbehaviours.map(({ verb, fault }) => `${verb} ${fault}`),
  );
  for (const { name, verdict, detail } of found) {
    const [wanted, words] = expected[name] ?? [];
    assert.equal(verdict, wanted, `${name}: ${detail}`);
    assert.match(detail, words ?? /^$/, name);
  }
});

it('a VM that is killed costs its scenario, and says nothing of the device', async () => {
  const { code, stdout } = await finish(start('outage', ['resize_cq outage', 'destroy_cq print']));
  assert.equal(code, 3, stdout);
  const found = scenarios('outage');
  assert.deepEqual(
    found.map(({ verdict }) => verdict),
    ['pass', 'broken'],
  );
  assert.match(found.at(-1)?.detail ?? '', expected['resize_cq outage']?.[1] ?? /^$/);
});

it('a signal while a kernel is fetched ends apt with the run, and leaves nothing of either', async () => {
  const [bin, cache] = [join(folder, 'bin'), join(folder, 'cache')];
  const started = join(folder, 'apt-started');
  mkdirSync(bin);
  writeFileSync(join(bin, 'apt-config'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(bin, 'apt-get'), `#!/bin/sh\n: >'${started}'\nexec sleep 600\n`, { mode: 0o755 });
  const command = start('fetching', [], {
    PATH: `${bin}:${process.env.PATH}`,
    XDG_CACHE_HOME: cache,
    VERBSPEC_DEBIAN_MIRROR: 'http://mirror.invalid/debian',
  });
  await until('apt is at work', () => existsSync(started));
  command.signal('SIGTERM');
  assert.equal((await finish(command)).code, 143);
  const left = readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.tmp-'));
  assert.deepEqual(left, []);
});

/** Whether all system calls of the QEMU of a run go through a filter. */
function isQemuConfined(command: Command): boolean {
  const [pid] = command.processes().flatMap((process) => /^(\d+) qemu-system/.exec(process)?.[1] ?? []);
  return pid !== undefined && /^Seccomp:\s*2$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

it('a signal while the VM boots, in a QEMU that is confined, ends the run at once and leaves nothing', async () => {
  const command = start('booting');
  await command.said(/booting kernel/);
  await until('QEMU is confined', () => isQemuConfined(command));
  command.signal('SIGTERM');
  assert.equal((await finish(command)).code, 143);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('booting')),
    [],
  );
});

it('a signal in a hang ends the run in order', async () => {
  const command = start('hanging', ['destroy_cq print', 'req_notify_cq block', 'no_verb']);
  await command.said(/planted block/);
  command.signal('SIGINT');
  assert.equal((await finish(command)).code, 130);
  const told = scenarios('hanging').map(({ verdict, detail = '' }) => [
    verdict,
    detail.includes('interrupted by SIGINT'),
  ]);
  assert.deepEqual(told.slice(0, 3), [
    ['pass', false],
    ['pass', false],
    ['pass', false],
  ]);
  assert.ok(told.length > 4);
  for (const each of told.slice(3)) assert.deepEqual(each, ['broken', true]);
});
