/**
 * Shows the spec book where it is read: the man pages of three releases of rdma-core against the rules, and a book of
 * the newest in Chromium, for readers with and without eyes, mouse, big screen, light and network.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { source as axe, type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { suites } from '../drivers/vm/kernels/releases';
import { parseVerdicts } from '../reports/judge/verdicts';
import { editionsOf, loadTies } from '../catalog/ties';
import { launchChromium, patienceMs } from './browser/chromium';
import { manPagesOf } from './man-pages';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-spec-book-'));
const book = join(folder, 'book');
const ties = loadTies();
const newest = editionsOf(ties);
const files = ['index.html', ...[...ties.keys()].map((name) => `${name}.html`)];
const hostile = `<script>document.title = 'taken over'</script><img src=x onerror="document.title = 'taken over'">`;

function verbspec(...args: string[]): { readonly status: number | null; readonly stdout: string } {
  const options = {
    cwd: resolve(__dirname, '..'),
    encoding: 'utf8',
    env: { ...process.env, JAVA_HOME: '/nonexistent' },
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/verbspec.js', ...args], {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, stdout: `${stdout}${stderr}` };
}

function newestSuite(): (typeof suites)[number] {
  const suite = suites.find(({ rdmaCore }) => rdmaCore === undefined);
  assert.ok(suite);
  return suite;
}

for (const suite of suites) {
  test(`the man pages of ${suite.name} say what the rules say, or the difference is acknowledged`, async (context) => {
    const { status, stdout } = verbspec('spec-book', '--check', '--man', await manPagesOf(suite));
    const version = new RegExp(`^rdma-core (\\S+): ${ties.size} pages`, 'm').exec(stdout)?.[1] ?? '';
    const isKnown = version.startsWith(`${suite.rdmaCore ?? newest}.`);
    if (suite.rdmaCore !== undefined || isKnown) {
      assert.ok(isKnown, stdout);
      assert.equal(status, 0, stdout);
    } else context.diagnostic(`${suite.name} has moved on from rdma-core ${newest}, look at: ${stdout}`);
  });
}

test('the man pages are listed when a word of a sentence changes', async () => {
  const changed = join(folder, 'changed');
  cpSync(await manPagesOf(newestSuite()), changed, { recursive: true });
  const page = join(changed, 'usr/share/man/man3/ibv_poll_cq.3');
  const roff = gunzipSync(readFileSync(`${page}.gz`)).toString('utf8');
  assert.match(roff, /non-negative/);
  rmSync(`${page}.gz`);
  writeFileSync(page, roff.replace('non-negative', 'positive'));
  const { status, stdout } = verbspec('spec-book', '--check', '--man', changed);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /^ibv_poll_cq, RETURN VALUE: changed .*rules to look at: ibv_poll_cq\.returns-count/m);
});

let browser: Browser | undefined;
const requested: string[] = [];

before(async () => {
  await makeBook();
  browser = await launchChromium();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Opens a page of the book. */
async function open(file: string, colorScheme: 'light' | 'dark' = 'light', width = 1280): Promise<Page> {
  assert.ok(browser);
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
  page.setDefaultTimeout(patienceMs);
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(pathToFileURL(join(book, file)).href);
  return page;
}

/** Does something with every page of the book, all rules open. */
async function onEach(scheme: 'light' | 'dark', width: number, look: (page: Page, file: string) => Promise<void>) {
  for (const file of files) {
    const page = await open(file, scheme, width);
    const button = page.locator('#open-all');
    if ((await button.count()) > 0) await button.click();
    await look(page, file);
    await page.close();
  }
}

test('the book has no serious finding of axe-core, in the light or in the dark', async () => {
  for (const scheme of ['light', 'dark'] as const) {
    await onEach(scheme, 1280, async (page, file) => {
      await page.evaluate(axe);
      const rules = scheme === 'light' ? '{}' : '{ runOnly: ["color-contrast"] }';
      const { violations, passes } = await page.evaluate<AxeResults>(`axe.run(${rules})`);
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      const told = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      assert.deepEqual(told, [], `${file}, ${scheme}`);
      assert.ok(
        passes.some(({ id }) => id === 'color-contrast'),
        'axe looked at something',
      );
    });
  }
});

test('the book does not scroll sideways on a phone', async () => {
  await onEach('light', 390, async (page, file) => {
    const width = await page.evaluate<number>('document.scrollingElement.scrollWidth');
    assert.ok(width <= 390, `${file} is ${width} wide`);
  });
});

test('the book leads from the search box to a rule by keyboard alone', async () => {
  const page = await open('ibv_resize_cq.html');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.className'), 'skip');
  for (const name of ['A', 'INPUT']) {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.tagName'), name);
  }
  await page.keyboard.type('returns-count');
  await page.keyboard.press('Enter');
  await page.waitForURL(/index\.html\?q=returns-count/);
  await page.waitForFunction('document.activeElement.id === "results-title"');
  assert.match(await page.locator('#results-count').innerText(), /^\d+ found/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/ibv_poll_cq\.html#returns-count$/);
  await page.locator('#returns-count[open]').waitFor();
  assert.match(await page.locator('#returns-count').innerText(), /Scenario:/);
  await page.close();
});

test('the book finds sentences and rules while one types, and says when there is nothing', async () => {
  const page = await open('index.html');
  await page.locator('#q').pressSequentially('solicited');
  await page.locator('#results-list a', { hasText: 'solicited' }).first().waitFor();
  const places = await page.locator('#results-list .place').allInnerTexts();
  for (const kind of ['rule', 'sentence'])
    assert.ok(
      places.some((place) => place.startsWith(kind)),
      kind,
    );
  await page.locator('#q').fill('qqqqqqqq');
  await page.getByText('Nothing found').waitFor();
  await page.close();
});

test('the book takes what a device says for text', async () => {
  for (const file of ['index.html', 'ibv_poll_cq.html']) {
    const page = await open(file);
    assert.match(await page.title(), /spec book/i);
    assert.equal(await page.locator('main script, main img').count(), 0);
    assert.ok((await page.content()).includes('&lt;script&gt;document.title'), file);
    await page.close();
  }
});

test('the book prints with its rules open, and without what is for screens', async () => {
  const page = await open('ibv_poll_cq.html');
  const closed = page.locator('details:not([open])');
  assert.notEqual(await closed.count(), 0);
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  assert.equal(await closed.count(), 0);
  await page.evaluate('dispatchEvent(new Event("afterprint"))');
  assert.notEqual(await closed.count(), 0);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('nav').isVisible(), false);
  await page.close();
});

test('the book asks for nothing outside of its folder', () => {
  assert.ok(requested.length > files.length);
  const own = [pathToFileURL(book).href, 'data:,'];
  assert.deepEqual(
    requested.filter((url) => !own.some((start) => url.startsWith(start))),
    [],
  );
});

/** A book of the newest pages, of a run on the simulator and of one on a device that says hostile things. */
async function makeBook(): Promise<void> {
  const sim = join(folder, 'sim');
  const run = verbspec('run', 'ibv_poll_cq', 'ibv_req_notify_cq', '--driver', 'sim', '--out', sim);
  assert.equal(run.status, 0, run.stdout);
  const verdicts = parseVerdicts(readFileSync(join(sim, 'verdicts.json'), 'utf8'));
  const rules = verdicts.rules.map((rule) => ({
    ...rule,
    verdict: 'violates',
    scenarios: rule.scenarios.map((scenario) => ({ ...scenario, verdict: 'fail', detail: hostile })),
  }));
  mkdirSync(join(folder, 'hostile'));
  const dut = { ...verdicts.dut, hcaId: hostile };
  writeFileSync(join(folder, 'hostile', 'verdicts.json'), JSON.stringify({ ...verdicts, driver: 'hca', dut, rules }));
  const runs = [sim, join(folder, 'hostile')];
  const made = verbspec('spec-book', ...runs, '--man', await manPagesOf(newestSuite()), '--out', book);
  assert.equal(made.status, 0, made.stdout);
}
