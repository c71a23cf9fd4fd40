// A real browser for tests: Debian's Chromium or another one that is installed. All files of a process share it.
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { chromium } from 'playwright-core';
import type { BrowserContext, Browser as WholeBrowser } from 'playwright-core';

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

/** What tests need of a browser. Its contexts share nothing, and end with it. */
export interface Browser extends AsyncDisposable {
  readonly newContext: WholeBrowser['newContext'];
  /** In a context of its own. */
  readonly newPage: WholeBrowser['newPage'];
  readonly close: () => Promise<void>;
}

interface Launched {
  readonly browser: WholeBrowser;
  /** Whether the browser keeps this process alive. */
  readonly keep: (does: boolean) => void;
}

async function launch(): Promise<Launched> {
  // They are announced before they are started.
  const started: ChildProcess[] = [];
  const note = (message: unknown) =>
    started.push((message as { readonly process: ChildProcess }).process);
  subscribe('child_process', note);
  try {
    const browser = await chromium.launch({ executablePath: executable ?? '', args: [...flags] });
    const child = started.find(({ spawnfile }) => spawnfile === executable);
    const pipes = child?.stdio.filter((pipe) => pipe instanceof Socket) ?? [];
    const keep = (does: boolean) => {
      for (const held of [child, ...pipes]) {
        if (does) held?.ref();
        else held?.unref();
      }
    };
    return { browser, keep };
  } finally {
    unsubscribe('child_process', note);
  }
}

let launched: Promise<Launched> | undefined;
let users = 0;

async function closeAtTheEnd(): Promise<void> {
  // Between two files of the test command nothing runs either, but its channel is open.
  if (process.connected || launched === undefined) return;
  const { browser, keep } = await launched;
  launched = undefined;
  keep(true);
  await browser.close();
}

/** One that has crashed is replaced. */
async function theBrowser(): Promise<Launched> {
  if (launched === undefined) process.on('beforeExit', () => void closeAtTheEnd());
  else if ((await launched).browser.isConnected()) return launched;
  launched = launch();
  return launched;
}

/** Starting Chromium takes longer than most tests in it, so it is started once. What rests keeps no process alive. */
export async function openBrowser(): Promise<Browser> {
  users += 1;
  const { browser, keep } = await theBrowser();
  keep(true);
  const contexts = new Set<BrowserContext>();
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await Promise.all([...contexts].map((context) => context.close()));
    users -= 1;
    if (users === 0) keep(false);
  };
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options);
    contexts.add(context);
    context.on('close', () => contexts.delete(context));
    return context;
  };
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
