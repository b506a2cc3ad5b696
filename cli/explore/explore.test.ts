import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CreateDriver } from '../../drivers/contract';
import '../../drivers/hca';
import { VerbsDriver } from '../../drivers/pipeline/verbs-driver';
import { SimBackend } from '../../drivers/sim/backend';
import { soundParts } from '../../drivers/sim/device/device';
import { simulatedDut } from '../../drivers/sim/device/dut';
import { limits } from '../../drivers/sim/simulator';
import { inProcess } from '../fixtures/in-process';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
let runs = 0;

after(() => {
  rmSync(folder, { recursive: true });
});

async function explore(...args: readonly string[]) {
  const out = join(folder, `explore-${(runs += 1)}`);
  return { ...(await inProcess(['explore', '--out', out, ...args])), out };
}

function findingIn(out: string): string {
  return join(out, 'finding-1.json');
}

describe('verbspec explore', () => {
  it('finds nothing on a sound simulator, and lists where it would have been lenient', async () => {
    const { code, stdout, out } = await explore('--programs', '4', '--ledger');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /page silent/);
    assert.match(stdout, /4 programs of \d+ calls .*: nothing found/);
    assert.ok(existsSync(join(out, 'explore.json')));
  });

  it('finds a planted fault, and what it finds can be run again', async () => {
    const fault = ['--fault', 'byte-len-with-immediate'];
    const { code, stdout, out } = await explore('--programs', '6', '--seed', '2', ...fault);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /finding-1: ibv_(poll_cq\.field|create_cq_ex\.read)-byte-len \(inclusion, \d+ calls\)/);
    const finding = JSON.parse(readFileSync(findingIn(out), 'utf8')) as { clause: string };
    assert.match(finding.clause, /byte-len$/);
    assert.equal((await explore('--replay', findingIn(out), ...fault)).code, 1);
    assert.equal((await explore('--replay', findingIn(out))).code, 0);
  });

  it('counts what a device is known not to keep', async () => {
    const { code, stdout, out } = await explore('--programs', '30', '--seed', '2', '--variant', 'statuses-are-coarse');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^known: not ibv_poll_cq\.error-valid-status, met \d+ times$/m);
    const { known } = JSON.parse(readFileSync(join(out, 'explore.json'), 'utf8')) as { known: object };
    assert.deepEqual(Object.keys(known), ['ibv_poll_cq.error-valid-status']);
  });

  it('says what it leaves out, as the device has not shown it', async () => {
    const { stdout, out } = await explore('--programs', '2', '--variant', 'without-srq');
    assert.match(stdout, /^not shown by the device, and left out: srq, last-wqe-event$/m);
    const { lacks } = JSON.parse(readFileSync(join(out, 'explore.json'), 'utf8')) as { lacks: readonly string[] };
    assert.deepEqual(lacks, ['srq', 'last-wqe-event']);
    assert.doesNotMatch((await explore('--programs', '2')).stdout, /left out/);
  });

  it('writes which cells it has reached, if it is asked', async () => {
    const { code, stdout, out } = await explore('--programs', '12', '--coverage');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^cells: 1,\d{3} reachable, explore \d+\.\d %, scenarios \d+\.\d %/m);
    const { totals, cells, programs } = JSON.parse(readFileSync(join(out, 'coverage.json'), 'utf8')) as {
      readonly programs: number;
      readonly totals: { readonly explore: number };
      readonly cells: readonly { readonly byExplore: boolean; readonly isListed: boolean }[];
    };
    assert.equal(programs, 12);
    assert.equal(totals.explore, cells.filter(({ byExplore, isListed }) => byExplore && isListed).length);
    assert.ok(totals.explore > 200);
    assert.match(readFileSync(join(out, 'coverage.html'), 'utf8'), /not armed, empty/);
    assert.equal(existsSync(join((await explore('--programs', '1')).out, 'coverage.html')), false);
  });

  it('keeps in a corpus what does something new, and runs that first', async () => {
    const corpus = join(folder, 'corpus');
    assert.equal((await explore('--programs', '3', '--corpus', corpus)).code, 0);
    const kept = readdirSync(corpus);
    assert.ok(kept.length > 0);
    writeFileSync(join(corpus, 'damaged.json'), '{"version":1');
    const { code, stderr } = await explore('--programs', '3', '--corpus', corpus);
    assert.equal(code, 2);
    assert.match(stderr, /damaged\.json: the program is not JSON/);
  });

  const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a seed that is no number', ['--seed', 'x'], /not a whole number/],
    ['a time without a unit', ['--for', '60'], /no time such as 30s/],
    ['an unknown fault', ['--fault', 'stays-amred'], /did you mean stays-armed/],
    ['two files', ['--replay', 'a', '--minimise', 'b'], /one program each/],
    ['a simulator that repeats', ['--deterministic'], /--deterministic is for --driver soft-roce/],
    ['a kernel that does not', ['--driver', 'soft-roce', '--deterministic', '7'], /takes the kernel of a VM/],
    ['no such file', ['--replay', join(folder, 'none.json')], /none\.json cannot be read/],
    [
      'edges that nobody would see',
      ['--edges', 'edges.json'],
      /--edges is shown on the page of --coverage; add --coverage/,
    ],
    ['edges of no module', ['--coverage', '--edges', 'edges.json'], /--edges takes a --module that records its edges/],
    [
      'edges beside --emit',
      ['--emit', 'c', '--edges', 'edges.json'],
      /--emit runs nothing; leave out --coverage and --edges/,
    ],
  ];
  for (const [what, args, message] of refused) {
    it(`refuses ${what}`, async () => {
      const { code, stderr } = await explore(...args);
      assert.equal(code, 2);
      assert.match(stderr, message);
    });
  }
});

describe('verbspec explore on a device whose link is not its own', () => {
  const hca = require.cache[require.resolve('../../drivers/hca')] ?? assert.fail();
  const { exports: own } = hca as { readonly exports: unknown };
  const corpus = join(folder, 'link-corpus');
  const open = { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' };
  const query = { call: 'ibv_query_port', args: { context: { of: 'ctx' }, portNum: { of: 'dut', member: 'portNum' } } };
  const programs: Readonly<Record<string, readonly unknown[]>> = {
    'moving.json': [open, { port: 'down' }, query, query],
    'other.json': [open, query],
  };

  /** On a device all comes to rest while somebody waits. */
  class Resting extends SimBackend {
    override pause(): Promise<void> {
      return this.settle();
    }
  }

  /** No device is there that libibverbs lists: the simulator stands for one. */
  const createDriver: CreateDriver = () => {
    const capabilities = simulatedDut.capabilities.filter((one) => one !== 'port-control');
    const backend = new Resting(soundParts, undefined, { ...simulatedDut, capabilities });
    return Promise.resolve(new VerbsDriver(backend, limits));
  };

  before(() => {
    hca.exports = { createDriver };
    mkdirSync(corpus);
    for (const [name, ops] of Object.entries(programs))
      writeFileSync(join(corpus, name), JSON.stringify({ version: 1, seed: 'link', ops }));
  });
  after(() => {
    hca.exports = own;
  });

  it('refuses a program that moves it, in one line', async () => {
    for (const asked of ['--replay', '--minimise']) {
      const { code, stdout, stderr } = await explore('--driver', 'hca', asked, join(corpus, 'moving.json'));
      assert.equal(code, 2, stderr);
      const refusal = 'the program moves the link of the port, which cannot be done there; take --driver soft-roce';
      assert.deepEqual([stderr, stdout], [`verbspec: ${refusal}\n`, '']);
    }
    const { code, stdout } = await explore('--driver', 'hca', '--replay', join(corpus, 'other.json'));
    assert.equal(code, 0, stdout);
  });

  it('leaves out those of a corpus that move it, and says how many', async () => {
    const there = await explore('--driver', 'hca', '--corpus', corpus, '--programs', '1');
    assert.equal(there.code, 0, there.stderr);
    const line = /left out of the corpus, for they move the link of the port, which cannot be done there: 1/;
    assert.match(there.stderr, line);
    assert.match(there.stdout, /1 programs of 2 calls/);
    const here = await explore('--corpus', corpus, '--programs', '1');
    assert.doesNotMatch(here.stderr, line);
    assert.match(here.stdout, /1 programs of 3 calls/);
  });
});
