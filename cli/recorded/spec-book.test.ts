import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Verdicts } from '../../reports/judge/verdicts';
import { withoutJava } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';
import { pageNames, writeRoffPages } from '../fixtures/roff-pages';
import { suiteVersion } from '../common/project';

const recorded: Verdicts = {
  schemaVersion: 2,
  suite: { version: suiteVersion(), commit: 'unknown' },
  driver: 'sim',
  dut: { hcaId: 'cow0' },
  startedAt: '2026-11-20T12:00:00.000Z',
  durationMs: 5,
  rules: [
    {
      id: 'ibv_poll_cq.returns-count',
      page: 'ibv_poll_cq',
      section: 'RETURN VALUE',
      title: 'It counts',
      verdict: 'violates',
      scenarios: [{ name: 'Two', uri: 'x.feature', line: 3, verdict: 'fail', durationMs: 1, detail: 'observed 3' }],
    },
  ],
};

describe('verbspec spec-book', () => {
  let folder: string;
  let pages: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-book-'));
    pages = join(folder, 'pages');
    writeRoffPages(pages);
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  /** Writes a record of a run. @returns its folder */
  function record(name: string, content: string): string {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'verdicts.json'), content);
    return join(folder, name);
  }

  it('calls runs that nothing else distinguishes by their folders', async () => {
    const runs = ['morning', 'evening'].map((name) => record(name, JSON.stringify(recorded)));
    const out = join(folder, 'two');
    const { code, stderr } = await inProcess(['spec-book', ...runs, '--man', pages, '--out', out]);
    assert.equal(code, 0, stderr);
    const [index, page] = ['index.html', 'ibv_poll_cq.html'].map((name) => readFileSync(join(out, name), 'utf8'));
    for (const name of ['morning', 'evening']) {
      assert.match(index ?? '', new RegExp(`<h3>${name}</h3>`));
      assert.match(page ?? '', new RegExp(`${name}: violates`));
    }
  });

  it('writes a book of the pages with the verdicts of runs, and replaces an earlier one', async () => {
    const run = record('run', JSON.stringify(recorded));
    const out = join(folder, 'book');
    for (const runs of [[], [run], [join(run, 'verdicts.json')]]) {
      const { code, stdout, stderr } = await inProcess(['spec-book', ...runs, '--man', pages, '--out', out]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^spec book {2}.*index\.html\n$/);
      const page = readFileSync(join(out, 'ibv_poll_cq.html'), 'utf8');
      assert.match(page, /fills a bucket\./);
      assert.equal(page.includes('observed 3'), runs.length > 0);
      for (const name of pageNames) assert.ok(existsSync(join(out, `${name}.html`)), name);
    }
  });

  it('lists with --check what the pages say otherwise, and exits with 1', async () => {
    const { code, stdout } = await inProcess(['spec-book', '--check', '--man', pages]);
    assert.equal(code, 1);
    assert.match(stdout, /^ibv_poll_cq, DESCRIPTION: new [0-9a-f]{12}.*: "It returns -1 for a bull\."; no rule/m);
    assert.match(stdout, /^ibv_poll_cq: gone [0-9a-f]{12}; rules to look at: ibv_poll_cq\.signature$/m);
    assert.match(stdout, /^rdma-core 65\.0: 10 pages, 30 sentences, \d+ differ from 65, \d+ not acknowledged$/m);
  });

  it('refuses runs that it cannot show, and folders that it cannot use, by name', async () => {
    const incomplete = join(folder, 'incomplete');
    writeRoffPages(incomplete, pageNames.slice(0, 3));
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const { rules, ...foreign } = recorded;
    const other = { ...recorded, suite: { version: '99.0.0', commit: 'unknown' } };
    const unknown = { ...recorded, rules: rules.map((rule) => ({ ...rule, id: 'ibv_poll_cq.lifo' })) };
    const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
      [[join(folder, 'nowhere')], 2, /there is no run .*nowhere; name the folder/],
      [[pages], 2, /pages holds no verdicts\.json/],
      [[record('damaged', '{"schemaVersion": 1,')], 2, /damaged\/verdicts\.json is not valid JSON/],
      [[record('foreign', JSON.stringify(foreign))], 2, /foreign\/verdicts\.json cannot be used: .*rules/],
      [
        [record('empty', JSON.stringify({ ...recorded, rules: [] }))],
        2,
        /empty\/verdicts\.json is a run without a scenario/,
      ],
      [[record('other', JSON.stringify(other))], 2, /other\/verdicts\.json is a run of verbspec 99\.0\.0; this is/],
      [
        [record('unknown', JSON.stringify(unknown))],
        2,
        /unknown\/verdicts\.json is a run of .* has a rule ibv_poll_cq\.lifo/,
      ],
      [['--out', pages], 2, /pages is not empty and holds no earlier results/],
      [['--out', join(file, 'book')], 2, /cannot write results to .*a-file/],
      [['--out', '/proc/book'], 3, /cannot write results to \/proc\/book/],
      [['--man', join(folder, 'nothing')], 2, /there is no folder .*nothing; name with --man/],
      [['--man', incomplete], 2, /incomplete has no man page/],
      [['--check', join(folder, 'run')], 2, /--check takes no runs/],
    ];
    const results = await Promise.all(
      wrong.map(async ([args]) => {
        const ownPages = args.includes('--man') ? [] : ['--man', pages];
        return inProcess(['spec-book', '--out', join(folder, 'refused'), ...ownPages, ...args]);
      }),
    );
    for (const [index, { code, stderr }] of results.entries()) {
      const [, expected, message = /^$/] = wrong[index] ?? [];
      assert.match(stderr, message);
      assert.equal(code, expected, stderr);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
    assert.ok(!existsSync(join(folder, 'refused')));
  });

  it('says what to install where mandoc is missing', async () => {
    const nothing = { ...withoutJava, PATH: join(folder, 'empty-path') };
    const { code, stderr } = await inProcess(['spec-book', '--man', pages, '--check'], nothing);
    assert.equal(code, 3);
    assert.match(stderr, /mandoc is missing.*apt-get install/);
  });
});
