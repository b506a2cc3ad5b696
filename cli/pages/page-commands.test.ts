import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import type { PageTies } from '../../catalog/ties';
import { Command } from '../fixtures/command';
import { writeRoffPages } from '../fixtures/roff-pages';
import { checkRules } from '../lint/check-rules';
import { newPage } from './new-page';
import { tie } from './tie';

const root = mkdtempSync(join(tmpdir(), 'verbspec-pages-'));
const page = 'ibv_milk_cow';

let project: string;
let features: string;

beforeEach(() => {
  project = mkdtempSync(join(root, 'project-'));
  features = join(project, 'features');
  mkdirSync(join(features, 'cow'), { recursive: true });
});

after(() => {
  rmSync(root, { recursive: true });
});

/** Pages of an edition. @returns its folder */
function edition(version: string): string {
  const folder = join(project, `rdma-core-${version}`);
  writeRoffPages(folder, [page], version);
  return folder;
}

function sentences(): PageTies {
  return JSON.parse(readFileSync(join(features, 'cow', `${page}.sentences.json`), 'utf8')) as PageTies;
}

const refuses =
  (message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof UsageError && message.test(error.message);

describe('verbspec new-page', () => {
  it('writes what lies beside each other for a page, and says what is left to do', async () => {
    const options = ['--features', features, '--man', edition('65.0')];
    const { code, stdout } = await Command.finished(['new-page', page, ...options]);
    assert.equal(code, 0);
    assert.match(stdout, /^rdma-core 65\.0: 3 sentences, 2 drafted as clauses, 1 without anything to check\n/);
    assert.deepEqual(
      readdirSync(join(features, 'cow')),
      ['clauses.json', 'feature', 'sentences.json'].map((ending) => `${page}.${ending}`),
    );
    const again = await Command.finished(['new-page', page, ...options]);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /^verbspec: ibv_milk_cow has cow.ibv_milk_cow\.\S+ already; .*\n$/);
  });

  it('drafts what the lint does not let pass', async () => {
    newPage({ page, features, man: edition('65.0') });
    let findings = '';
    const print = (text: string): void => void (findings += text);
    const dryRun = (): Promise<[]> => Promise.resolve([]);
    assert.equal(await checkRules({ project, print, dryRun }), 1);
    const lines = findings.trimEnd().split('\n');
    assert.equal(lines.length, 3, findings);
    for (const line of lines) assert.match(line, /is a draft/);
  });

  it('takes the family by name, which may be new', () => {
    newPage({ page, features, family: 'farm', man: edition('65.0') });
    assert.deepEqual(readdirSync(features), ['cow', 'farm']);
    assert.equal(readdirSync(join(features, 'farm')).length, 3);
  });

  it('refuses names of no page and no family, and writes nothing', () => {
    const man = edition('65.0');
    assert.throws(() => newPage({ page: '../x', features, man }), refuses(/not the name of a man page/));
    assert.throws(() => newPage({ page: 'ibv_feed', features, man }), refuses(/which family .*; there are cow/));
    assert.throws(() => newPage({ page, features, family: '../x', man }), refuses(/not the name of a family/));
    assert.throws(() => newPage({ page: 'ibv_feed_cow', features, man }), refuses(/has no man page ibv_feed_cow/));
    assert.throws(() => newPage({ page, features, man: edition('next') }), refuses(/not known which rdma-core/));
    assert.throws(() => newPage({ page, features: join(project, 'nowhere'), man }), refuses(/there is no folder/));
    assert.deepEqual(readdirSync(join(features, 'cow')), []);
  });
});

describe('verbspec tie', () => {
  beforeEach(() => {
    newPage({ page, features, man: edition('65.0') });
  });

  it('ties to a newer edition, and prints what to look at', async () => {
    const man = edition('66.0');
    const file = join(man, 'usr', 'share', 'man', 'man3', `${page}.3`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('for a bull', 'for an old bull'));
    const { code, stdout } = await Command.finished(['tie', '--features', features, '--man', man]);
    assert.equal(code, 0);
    assert.match(stdout, /^ibv_milk_cow: rdma-core 65 → 66, 1 sentence differs\n/);
    assert.match(stdout, /^ibv_milk_cow, DESCRIPTION: changed .*; rules to look at: ibv_milk_cow\.todo-2$/m);
    assert.match(stdout, /^look at: the reasons under "acknowledged"/m);
    const { edition: now, sentences: tied, acknowledged } = sentences();
    assert.deepEqual([now, tied[2]?.clauses, acknowledged?.length], ['66', ['ibv_milk_cow.todo-2'], 1]);
    const again = await Command.finished(['tie', page, '--features', features, '--man', man]);
    assert.equal(again.stdout, 'ibv_milk_cow: rdma-core 66, nothing changes\n');
  });

  it('writes the sentences of a page that has none', () => {
    rmSync(join(features, 'cow', `${page}.sentences.json`));
    tie({ pages: [page], features, man: edition('65.0') });
    const standing = sentences().sentences.map(({ clauses, note }) => clauses ?? note);
    assert.deepEqual(standing, ['name', undefined, undefined]);
  });

  it('refuses older pages, pages of no known edition and unknown pages', () => {
    const before = JSON.stringify(sentences());
    assert.throws(
      () => tie({ pages: [], features, man: edition('44.0') }),
      refuses(/44, and ibv_milk_cow is tied to 65/),
    );
    assert.throws(() => tie({ pages: [], features, man: edition('next') }), refuses(/not known which rdma-core/));
    assert.throws(() => tie({ pages: ['ibv_milk_cows'], features }), refuses(/no clause belongs to a page.*/));
    assert.throws(() => tie({ pages: [], features: join(project, 'nowhere') }), refuses(/there is no folder/));
    assert.equal(JSON.stringify(sentences()), before);
  });
});
