/** The core of verbspec, contract, descriptions, simulator, steps and features, runs in a browser as in Node.js. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { featurePaths, featureRules } from '../../cli/inputs/features';
import { judgedScenarios } from '../../cli/run/judge-run';
import { createDriver } from '../../drivers/sim';
import { bundle, mainScript, type Bundle } from './bundle';
import { launchChromium, patienceMs } from './chromium';
import { outcomeOf, type Outcome } from './page/outcome';

/** Under this one checks fail in some scenarios, and verbs refuse in others. */
const fault = 'arming-drops-the-backlog';

describe('a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-browser-'));
  const unhandled: Error[] = [];
  let bundled: Bundle;
  let browser: Browser | undefined;
  let page: Page;

  before(async () => {
    bundled = await bundle(mainScript());
    writeFileSync(join(folder, 'index.html'), '<!doctype html><script src="bundle.js"></script>');
    writeFileSync(join(folder, 'bundle.js'), bundled.outputFiles[0]?.contents ?? '');
    browser = await launchChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => unhandled.push(error));
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  async function inBrowser(planted?: string): Promise<Outcome[]> {
    const outcomes = await page.evaluate<Outcome[]>(`runFeatures(${JSON.stringify(planted)})`);
    assert.deepEqual(unhandled, []);
    return outcomes;
  }

  it('gets nothing of Node.js, nor what would stand in for it', () => {
    assert.deepEqual(bundled.warnings, []);
    const { inputs, outputs } = bundled.metafile;
    const leftOut = Object.values(outputs).flatMap(({ imports }) => imports);
    assert.deepEqual(leftOut, []);
    const emptied = Object.keys(inputs).filter((file) => file.startsWith('(disabled)'));
    assert.deepEqual(emptied, []);
  });

  it('could not get it: the bundle of a core that imports a module of Node.js is refused', async () => {
    await assert.rejects(bundle("import 'node:timers/promises';"), /Could not resolve "node:timers\/promises"/);
  });

  it('runs every scenario of the features, and each passes', async () => {
    const outcomes = await inBrowser();
    assert.deepEqual(outcomes.filter(hasNotPassed), []);
    const scenarios = featureRules().flatMap(({ uri, scenarios }) => scenarios.map((one) => placeOf({ uri, ...one })));
    assert.deepEqual(outcomes.map(placeOf), scenarios);
  });

  it(`sees the same scenarios fail as Node.js, with the same words, where ${fault} is planted`, async () => {
    const [here, there] = [await inBrowser(fault), await inNode()];
    assert.notDeepEqual(here.filter(hasNotPassed), []);
    assert.deepEqual(here.filter(hasNotPassed), there.filter(hasNotPassed));
    assert.deepEqual(here.map(placeOf), there.map(placeOf));
  });
});

function hasNotPassed({ status }: Outcome): boolean {
  return status !== 'PASSED';
}

function placeOf({ uri, line, name }: Pick<Outcome, 'uri' | 'line' | 'name'>): string {
  return `${uri}:${line} ${name}`;
}

async function inNode(): Promise<Outcome[]> {
  const driver = await createDriver({ fault, progress: () => undefined });
  const scenarios = await judgedScenarios(driver, featurePaths());
  return scenarios.map(({ recorded }) => {
    const steps = recorded.attempts.flatMap((attempt) => attempt.steps);
    return outcomeOf(
      recorded,
      steps.flatMap(({ result }) => result ?? []),
    );
  });
}
