// The check of a publication in a browser, with answers of the service as they are or altered.
import type { Page } from 'playwright-core';
import type { LogIdentity, LogProof } from '@colophon/contract';

/** Opens the panel by keyboard and presses the button in it. */
export async function verify(page: Page, path: string): Promise<readonly string[]> {
  await page.goto(path);
  await page.locator('#origin > summary').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Verify in this browser' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.steps').waitFor();
  return page.locator('.steps > li').evaluateAll((items) => items.map((item) => item.className));
}

/** The parts of answers that are altered. */
interface Altered {
  readonly content?: string;
  readonly signing_input?: string;
  readonly signature?: { readonly signature: string };
  readonly items?: readonly { readonly created_at: string }[];
  readonly log?: LogProof & LogIdentity;
}

export type Alter = (record: Altered) => unknown;

/** Another text of the same bytes' length in base64. */
export const changeFirst = (base64: string) =>
  `${base64.startsWith('A') ? 'B' : 'A'}${base64.slice(1)}`;

/** Alters the log's part of an answer. */
export function inLog(
  alter: (log: LogProof & LogIdentity) => Partial<LogProof & LogIdentity>,
): Alter {
  return ({ log, ...record }) => ({ ...record, log: log && { ...log, ...alter(log) } });
}

/** Verifies while an answer is altered, and returns the states of the steps and what the panel says. */
export async function verifyAltered(
  page: Page,
  path: string,
  [url, alter]: readonly [string, Alter],
) {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: alter(await response.json()) });
  });
  try {
    const states = (await verify(page, path)).join(' ');
    return { states, said: await page.locator('.verify .verdict').innerText() };
  } finally {
    await page.unroute(url);
  }
}
