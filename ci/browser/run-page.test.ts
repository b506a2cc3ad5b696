/** Shows the page of a run where it is read: in Chromium, on a screen and a phone, in the light and in the dark. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { featureRules } from '../../cli/inputs/features';
import { judgedRun, pathOf } from '../../cli/run/judge-run';
import { createDriver } from '../../drivers/sim';
import { deviation } from '../../reports/fixtures/deviation';
import { rule } from '../../reports/fixtures/verdicts';
import { judgeRun } from '../../reports/judge/judge';
import type { JudgedRun } from '../../reports/judge/judged-run';
import { pageInput, runOf } from '../../reports/run-page/fixtures/pages';
import type { RuleEntry } from '../../reports/judge/verdicts';
import { renderRunPage } from '../../reports/run-page/run-page';
import { launchChromium } from './chromium';
import { findings, pageIn, shapes, widthOf, type Shape } from './shapes';

const hostile = `<script>document.title = 'taken over'</script><img src=x onerror="document.title = 'taken over'">`;
const oneShot = 'ibv_req_notify_cq.one-shot';

describe('the page of a run in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-run-page-'));
  const requested: string[] = [];
  let browser: Browser | undefined;

  before(async () => {
    const failing = await runUnder('event-doubled', oneShot, 'ibv_req_notify_cq.silent-until-rearmed');
    const [first] = failing.scenarios;
    const hostileDut = { ...failing.recording.info, label: hostile, dut: { hcaId: hostile } };
    const symptom = { subject: '*' };
    const known = deviation({
      rule: oneShot,
      scenario: first?.recorded.name ?? '',
      symptom,
      when: { driver: 'sim' },
      reason: hostile,
    });
    const judged = judgeRun({ ...failing.recording, info: hostileDut, deviations: [known] });
    write('violating.html', judged, { exit: hostile, sentences: new Map([[oneShot, [hostile]]]) });
    write('clean.html', runOf(allRules()));
    browser = await launchChromium();
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  function write(name: string, judged: JudgedRun, others: Parameters<typeof pageInput>[1] = {}): void {
    writeFileSync(join(folder, name), renderRunPage(pageInput(judged, others)));
  }

  async function open(at: string, shape: Shape = shapes[0]): Promise<Page> {
    const page = await pageIn(browser, shape);
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(pathToFileURL(folder).href + at);
    return page;
  }

  it('is small where nothing failed', () => {
    assert.ok(statSync(join(folder, 'clean.html')).size < 300_000);
    assert.match(readFileSync(join(folder, 'clean.html'), 'utf8'), /<h1>.*conforms to all \d+ rules/);
  });

  for (const shape of shapes) {
    it(`has no finding of axe-core and does not scroll sideways: ${shape.join(', ')}`, async () => {
      for (const file of shape === shapes[0] ? ['/violating.html', '/clean.html'] : ['/violating.html']) {
        const page = await open(file, shape);
        await page.evaluate(
          'for (const one of document.querySelectorAll("details:not(.rule + .rule *)")) one.open = true',
        );
        assert.deepEqual(await findings(page), [], file);
        assert.ok((await widthOf(page)) <= shape[1], file);
        await page.close();
      }
    });
  }

  it('opens the rule and the scenario that a link leads to', async () => {
    const page = await open(`/violating.html#${oneShot}`);
    await page.locator(`[id="${oneShot}"] > .scenario[open]`).first().waitFor();
    await page.locator('.causes a').first().click();
    await page.locator('.scenario:target[open]').waitFor();
    await page.close();
  });

  it('filters failures by text, with the keyboard alone', async () => {
    const page = await open('/violating.html');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.className'), 'skip');
    for (let tabs = 0; (await page.evaluate('document.activeElement.id')) !== 'words'; tabs++) {
      assert.ok(tabs < 40, 'the box is reached');
      await page.keyboard.press('Tab');
    }
    const shown = page.locator('#failures ~ .rule > .scenario:visible');
    const all = await shown.count();
    await page.keyboard.type('emptying');
    assert.equal(await shown.count(), 1);
    assert.match(await page.locator('#count').innerText(), new RegExp(`^1 of ${all} shown$`));
    await page.keyboard.type(' qqqq');
    assert.equal(await page.locator('#failures ~ .rule:visible').count(), 0);
    await page.close();
  });

  it('draws the calls, with the step that failed in sight', async () => {
    const page = await open('/violating.html#ibv_req_notify_cq.silent-until-rearmed');
    const diagram = page.locator('.scenario[open] .diagram').first();
    await diagram.waitFor();
    const failed = await diagram.locator('rect.bad').first().boundingBox();
    const box = await diagram.boundingBox();
    assert.ok(failed && box && failed.y > box.y && failed.y < box.y + box.height);
    assert.ok((await diagram.locator('text.call').count()) > 5);
    await page.close();
  });

  it('takes what a device says for text', async () => {
    const page = await open('/violating.html');
    assert.match(await page.title(), /^<script>.* - verbspec$/);
    assert.equal(await page.locator('main script, img').count(), 0);
    await page.close();
  });

  it('asks for nothing but itself', () => {
    const own = [pathToFileURL(folder).href, 'data:,'];
    assert.ok(requested.length > 0);
    assert.deepEqual(
      requested.filter((url) => !own.some((start) => url.startsWith(start))),
      [],
    );
  });
});

/** A run of these rules on the simulator. */
async function runUnder(fault: string, ...ids: string[]): Promise<JudgedRun> {
  const rules = featureRules().filter((each) => each.ids.some((id) => ids.includes(id)));
  const driver = await createDriver({ fault, progress: () => undefined });
  return await judgedRun(driver, rules.map(pathOf));
}

/** Every clause with a Rule, as if all its scenarios had passed. */
function allRules(): RuleEntry[] {
  return featureRules().flatMap(({ ids, title, scenarios }) =>
    ids.map((id) => ({ ...rule(id, ...scenarios.map(() => 'pass' as const)), title })),
  );
}
