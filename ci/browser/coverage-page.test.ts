/** Shows the page of `verbspec explore --coverage` where it is read: in Chromium, on a screen and a phone, in the light and in the dark. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import type { CoveredCell } from '../../reports/cell-coverage/coverage';
import { coverageHtml } from '../../reports/cell-coverage/coverage-html';
import { launchChromium } from './chromium';
import { findings, pageIn, shapes, widthOf, type Shape } from './shapes';

const hostile = `<script>document.title = 'taken over'</script>`;

const states = ['not armed, empty', 'not armed, full', 'armed for any, empty, acks owed', 'armed for solicited, full'];
const cells = ['ibv_poll_cq for several', 'ibv_destroy_cq', 'a CQE comes, not solicited'].flatMap((operation, row) =>
  states.flatMap((state, column) =>
    ['CQ', 'completion channel'].map((kind): CoveredCell => ({
      kind,
      state,
      operation,
      outcome: row === 0 && column === 0 ? hostile : 'done',
      byExplore: (row + column) % 2 === 0,
      byScenarios: column > 1,
      isListed: row > 0 || column < 3,
    })),
  ),
);

const reached = { at: 1, line: 10, byExplore: true, byScenarios: false };
const missed = { at: 2, line: 11, byExplore: false, byScenarios: false };
const edges = {
  module: { name: 'rdma_rxe', file: hostile, sha256: 'ab'.repeat(32) },
  scenarios: 7,
  functions: [
    { file: 'rxe_cq.c', name: 'rxe_cq_post', edges: [reached, missed] },
    { file: 'rxe_mcast.c', name: hostile, edges: [missed, missed] },
  ],
};

describe('the page of coverage in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-coverage-page-'));
  const path = join(folder, 'coverage.html');
  const requested: string[] = [];
  let browser: Browser | undefined;

  before(async () => {
    const run = { suite: '0', driver: 'sim', device: hostile, seed: 1, programs: 7 };
    writeFileSync(path, coverageHtml({ ...run, cells, edges }));
    browser = await launchChromium();
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  async function open(shape: Shape = shapes[0]): Promise<Page> {
    const page = await pageIn(browser, shape);
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(pathToFileURL(path).href);
    return page;
  }

  for (const shape of shapes) {
    it(`has no finding of axe-core and does not scroll sideways: ${shape.join(', ')}`, async () => {
      const page = await open(shape);
      assert.deepEqual(await findings(page), []);
      assert.ok((await widthOf(page)) <= shape[1], String(await widthOf(page)));
      await page.close();
    });
  }

  it('shows by the keyboard what nobody has reached', async () => {
    const page = await open();
    await page.focus('input[value=""]');
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('ArrowRight');
    assert.ok(await page.isChecked('input[value="none"]'));
    const shown = page.locator('[data-reach]:visible');
    const expected = cells.filter(({ isListed, byExplore, byScenarios }) => isListed && !byExplore && !byScenarios);
    assert.equal(await shown.count(), expected.length);
    assert.match(await page.locator('#count').innerText(), new RegExp(`^${expected.length} of ${cells.length} cells$`));
    await page.close();
  });

  it('folds away which edges are left', async () => {
    const page = await open();
    const line = page.locator('.lines td:last-child');
    assert.equal(await line.isVisible(), false);
    await page.locator('summary').last().click();
    assert.equal(await line.innerText(), '11');
    assert.equal(await page.locator('.functions li').count(), 1);
    await page.close();
  });

  it('takes what a device says for text, and asks nobody for anything', async () => {
    const page = await open();
    assert.equal(await page.title(), 'verbspec explore: coverage');
    assert.equal(await page.locator('main script').count(), 0);
    assert.deepEqual([...new Set(requested)], [pathToFileURL(path).href]);
    await page.close();
  });
});
