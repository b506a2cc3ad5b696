/** Shows the page that `verbspec compare` writes where it is read: in Chromium, on a screen and a phone, in the light and in the dark. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { matrixOf } from '../../reports/compare/matrix';
import { matrixHtml } from '../../reports/compare/matrix-html';
import { rule, verdictsOf } from '../../reports/fixtures/verdicts';
import type { Verdicts } from '../../reports/judge/verdicts';
import { launchChromium } from './chromium';
import { findings, pageIn, shapes, widthOf, type Shape } from './shapes';

const hostile = `<script>document.title = 'taken over'</script>${'x'.repeat(200)}`;

const ids = ['drain-loop', 'oldest-first', 'field-wr-id', 'overrun-cq-unusable'].map((slug) => `ibv_poll_cq.${slug}`);
const [one = '', two = '', three = '', four = ''] = ids;
const sound = verdictsOf(ids.map((id) => rule(id, 'pass')));
const violating = verdictsOf(
  [rule(one, 'fail'), rule(two, 'deviates'), rule(three, 'not-applicable'), rule(four, 'blocked')],
  { driver: 'hca', label: hostile },
);

function many(count: number): Verdicts[] {
  return Array.from({ length: count }, (_, index) => ({
    ...(index % 3 === 0 ? violating : sound),
    label: `dut-${index}`,
  }));
}

describe('the page of a comparison in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-compare-page-'));
  const pages = { few: [sound, violating], many: many(12) };
  let browser: Browser | undefined;

  before(async () => {
    for (const [name, runs] of Object.entries(pages)) {
      const links = runs.map(() => ({ traceOf: () => undefined }));
      writeFileSync(join(folder, `${name}.html`), matrixHtml(matrixOf(runs), links));
    }
    browser = await launchChromium();
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  async function open(name: string, shape: Shape = shapes[0]): Promise<Page> {
    const page = await pageIn(browser, shape);
    await page.goto(`${pathToFileURL(folder).href}/${name}.html`);
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    return page;
  }

  for (const shape of shapes) {
    it(`has no finding of axe-core and does not scroll sideways: ${shape.join(', ')}`, async () => {
      for (const name of Object.keys(pages)) {
        const page = await open(name, shape);
        assert.deepEqual(await findings(page), [], name);
        assert.ok((await widthOf(page)) <= shape[1], `${name}: ${await widthOf(page)}`);
        await page.close();
      }
    });
  }

  it('would show what is wrong: a picture without words, and a box that is wider than a phone', async () => {
    const page = await open('few', ['light', 390]);
    await page.evaluate(`document.querySelector('main, body').insertAdjacentHTML('beforeend',
      '<img src="data:,"><div style="width: 500px">wide</div>')`);
    assert.match((await findings(page)).join(), /image-alt/);
    assert.ok((await widthOf(page)) > 390);
    await page.close();
  });

  it('takes what a label says for text', async () => {
    const page = await open('few');
    assert.match(await page.title(), /<script>/);
    assert.equal(await page.locator('table script').count(), 0);
    await page.close();
  });
});
