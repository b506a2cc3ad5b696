import assert from 'node:assert/strict';
import { chromium, type Browser } from 'playwright-core';
import { findProgram } from '../../drivers/support/files';

/** Milliseconds for anything that a browser does on a busy machine. */
export const patienceMs = 300_000;

/** Starts the Chromium of the system, which asks the network for nothing. */
export function launchChromium(): Promise<Browser> {
  const executablePath = ['chromium', 'chromium-browser', 'google-chrome'].map(findProgram).find(Boolean);
  assert.ok(executablePath, 'no Chromium: apt-get install chromium');
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...quiet];
  return chromium.launch({ executablePath, args, timeout: patienceMs });
}
