// A browser with a profile of its own, which can be killed and started again with the same profile.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';
import { executable, flags } from '../browser.ts';

export interface Profile extends AsyncDisposable {
  start(): Promise<Page>;
  /** Ends every process of the browser at once (SIGKILL), as a crash of the machine's session does. */
  kill(): Promise<void>;
}

/** Returns the processes that were started with this profile. */
function processesOf(folder: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder);
      } catch {
        return false;
      }
    })
    .map(Number);
}

export async function openProfile(baseURL: string): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-'));
  let context: BrowserContext | undefined;
  return {
    start: async () => {
      context = await chromium.launchPersistentContext(folder, {
        executablePath: executable ?? '',
        args: [...flags],
        baseURL,
      });
      context.setDefaultTimeout(60_000);
      return context.pages()[0] ?? context.newPage();
    },
    kill: async () => {
      for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
      await context?.close().catch(() => undefined);
      while (processesOf(folder).length > 0) await wait(50);
    },
    [Symbol.asyncDispose]: async () => {
      await context?.close().catch(() => undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
