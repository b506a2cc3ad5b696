import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
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
    const { code, stdout, out } = await explore('--programs', '6', ...fault);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /finding-1: ibv_(poll_cq\.field|create_cq_ex\.read)-byte-len \(inclusion, \d+ calls\)/);
    const finding = JSON.parse(readFileSync(findingIn(out), 'utf8')) as { clause: string };
    assert.match(finding.clause, /byte-len$/);
    assert.equal((await explore('--replay', findingIn(out), ...fault)).code, 1);
    assert.equal((await explore('--replay', findingIn(out))).code, 0);
  });

  it('counts what a device is known not to keep', async () => {
    const { code, stdout, out } = await explore('--programs', '30', '--variant', 'statuses-are-coarse');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^known: not ibv_poll_cq\.error-valid-status, met \d+ times$/m);
    const { known } = JSON.parse(readFileSync(join(out, 'explore.json'), 'utf8')) as { known: object };
    assert.deepEqual(Object.keys(known), ['ibv_poll_cq.error-valid-status']);
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
