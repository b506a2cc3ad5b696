import assert from 'node:assert/strict';
import { source as axe, type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { patienceMs } from './chromium';

/** How a page is looked at: in the light and in the dark, on a screen and on a phone of so many pixels. */
export const shapes = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const;

export type Shape = (typeof shapes)[number];

/** A page of the browser in that shape, on which nothing is open yet. */
export async function pageIn(browser: Browser | undefined, [colorScheme, width]: Shape): Promise<Page> {
  assert.ok(browser);
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
  page.setDefaultTimeout(patienceMs);
  return page;
}

/** What axe-core finds on a page. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate<AxeResults>('axe.run()');
  assert.ok(
    passes.some(({ id }) => id === 'color-contrast'),
    'axe looked at something',
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Pixels that a page is wide. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.scrollingElement.scrollWidth');
}
