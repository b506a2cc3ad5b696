import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { deviation, listOf } from '../../reports/fixtures/deviation';
import { scenariosOf } from '../../reports/judge/verdicts';
import { Command, verdictsIn, withoutJava, type CommandResult } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';
import { root } from '../common/project';

const fixture = (name: string): string => join(__dirname, '..', 'fixtures', `${name}.ts`);
const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
const resize = 'ibv_resize_cq.returns-zero';
const overrun = 'ibv_poll_cq.overrun-async-event';
const silent = [overrun, '--fault', 'overrun-is-silent'];
let runs = 0;

after(() => {
  rmSync(folder, { recursive: true });
});

/** What a test looks at after a run. */
interface Run extends CommandResult {
  readonly out: string;
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const out = join(folder, `run-${(runs += 1)}`);
  const result = await inProcess(['run', '--out', out, ...args], { ...withoutJava, ...env });
  return { ...result, out };
}

/** A run on a device that meets its doom. */
function doomed(doom: string): Promise<Run> {
  return run([resize, '--driver', fixture('doomed-driver')], { VERBSPEC_DOOM: doom });
}

/** Arguments that list a deviation of the simulator. */
function listing(change: Partial<Parameters<typeof deviation>[0]>): string[] {
  const path = join(folder, `list-${(runs += 1)}.json`);
  const entry = deviation({ rule: overrun, when: { provider: 'sim' }, ...change });
  writeFileSync(path, JSON.stringify(listOf([entry])));
  return ['--deviations', path];
}

const interruptions = new Map<NodeJS.Signals, Promise<Run>>();

/** A run that a signal ends in a scenario, which several statements are about. */
function interrupted(signal: NodeJS.Signals): Promise<Run> {
  const run = interruptions.get(signal) ?? interruptedBy(signal);
  interruptions.set(signal, run);
  return run;
}

async function interruptedBy(signal: NodeJS.Signals): Promise<Run> {
  const out = join(folder, `run-${(runs += 1)}`);
  const args = [
    'run',
    'ibv_get_cq_event.get-returns-zero',
    resize,
    '--driver',
    fixture('waiting-driver'),
    '--out',
    out,
  ];
  const command = new Command(args, { ...withoutJava, VERBSPEC_WAIT: 'scenario' });
  await command.said(/the driver waits/);
  command.signal(signal);
  return { ...(await command.finish()), out };
}

function verdictsOf({ out }: Run): Set<string> {
  return new Set(scenariosOf(verdictsIn(out)).map(({ verdict }) => verdict));
}

async function endsWith(code: number, running: Promise<Run>, ...verdicts: readonly string[]): Promise<void> {
  const found = await running;
  assert.equal(found.code, code, found.stdout + found.stderr);
  assert.doesNotMatch(found.stderr, /\n {4}at /, 'a stack trace');
  if (verdicts.length > 0) assert.deepEqual(verdictsOf(found), new Set(verdicts));
}

/** What README says of the exit codes, statement by statement, and what shows it. */
const shown: Readonly<Record<string, Readonly<Record<string, () => Promise<void>>>>> = {
  '0': {
    'nothing unexpected': async () => {
      await endsWith(0, run([overrun]), 'pass');
      await endsWith(0, run([...silent, ...listing({})]), 'pass', 'deviates');
      await endsWith(
        0,
        run(['ibv_poll_cq.field-wr-id', '--driver', fixture('lacking-driver')]),
        'pass',
        'not-applicable',
      );
    },
  },
  '1': {
    fail: () => endsWith(1, run(silent), 'pass', 'fail'),
    crash: () => endsWith(1, doomed('crash'), 'crash'),
    hang: () => endsWith(1, doomed('hang'), 'hang'),
    panic: () => endsWith(1, doomed('panic'), 'panic'),
    surprise: () => endsWith(1, run([overrun, ...listing({})]), 'surprise'),
    blocked: () => endsWith(1, run([resize, '--fault', 'destroy-cq-returns-one']), 'blocked'),
    'a lost capability': async () => {
      const path = join(folder, 'expected.json');
      writeFileSync(path, '{"capabilities": ["srq"]}');
      const lacking = ['ibv_poll_cq.field-wr-id', '--driver', fixture('lacking-driver')];
      await endsWith(1, run([...lacking, '--expect-capabilities', path]), 'pass', 'not-applicable');
    },
    'a list of stale deviations': () => endsWith(1, run([overrun, ...listing({ scenario: 'None such' })]), 'pass'),
  },
  '2': {
    'wrong usage': async () => {
      await endsWith(2, run(['--bogus']));
      await endsWith(2, run(['--driver', 'nope']));
    },
  },
  '3': {
    'broken set-up': async () => {
      await endsWith(3, doomed('absent'));
      await endsWith(3, doomed('broken'), 'broken');
      await endsWith(3, doomed('clinging'), 'pass');
    },
    'the device was lost': () => endsWith(3, doomed('lost'), 'broken'),
    'a run without a scenario is this': () => endsWith(3, run(['--', '--tags', '@none'])),
  },
  '130': {
    'you interrupted it': () => endsWith(130, interrupted('SIGINT')),
    'what ran until then is in the results': async () => {
      assert.deepEqual(verdictsOf(await interrupted('SIGINT')), new Set(['pass', 'broken']));
    },
  },
  '143': {
    'you interrupted it': () => endsWith(143, interrupted('SIGTERM')),
    'what ran until then is in the results': async () => {
      assert.deepEqual(verdictsOf(await interrupted('SIGTERM')), new Set(['pass', 'broken']));
    },
  },
};

/** The statements of README's table by exit code; a cell is a list of them, or several. */
function statementsOfReadme(): Record<string, string[]> {
  const rows = readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^\| (\d[\d, ]*?) +\| (.*?) +\|$/gm);
  const statements = [...rows].flatMap(([, codes = '', text = '']) =>
    codes.split(', ').map((code) => [code, text.split(/; |, or |, /)] as const),
  );
  return Object.fromEntries(statements);
}

describe('an exit code of README', () => {
  it('is shown here, statement by statement', () => {
    const here = Object.entries(shown).map(([code, statements]) => [code, Object.keys(statements)]);
    assert.deepEqual(statementsOfReadme(), Object.fromEntries(here));
  });

  for (const [code, statements] of Object.entries(shown)) {
    for (const [statement, show] of Object.entries(statements)) it(`${code}: ${statement}`, show);
  }

  it('is listed by the help of the command as well', async () => {
    const { stdout } = await inProcess(['run', '--help']);
    const [, told = ''] = stdout.split('Exit codes:');
    for (const code of Object.keys(shown).filter((code) => Number(code) < 128))
      assert.match(told, new RegExp(`^ +${code}  \\w`, 'm'));
    assert.match(told, /128 \+ signal number/);
  });
});
