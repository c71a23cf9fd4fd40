// A real browser for tests: Debian's Chromium or another one that is installed.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/**
 * The headless shell first: the same engine without the windows of a desktop program. Browser tests take
 * half of the processor time with it.
 */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const executable = places.find((place) => existsSync(place));

/** Why tests in a browser are skipped on this machine; false where they are not. */
export const noBrowser =
  executable === undefined ? 'needs Chromium: apt-get install chromium-headless-shell' : false;

/**
 * Without a sandbox of its own: as root it has none, and it is shown nothing but our pages. A process for the
 * graphics of a headless browser takes a tenth of the processor time.
 */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--in-process-gpu',
] as const;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executable ?? '',
    args: [...flags],
  });
}
