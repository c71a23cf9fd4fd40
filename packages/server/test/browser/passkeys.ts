// A real browser on a server of its own, whose pages have a device with passkeys.
import type { Page } from 'playwright-core';
import type { DevToolsCredential } from '#test/authenticator';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser as openSession } from '#test/web-session';
import { openBrowser } from './browser.ts';
import type { Browser } from './browser.ts';
import { addAuthenticator } from './people.ts';

export interface PasskeyVisit extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained about: errors of scripts, and what the policy of a page refused. */
  readonly complaints: readonly string[];
  /** Whether the person confirms every time, as at the beginning, or does not answer. */
  readonly confirming: (does: boolean) => Promise<void>;
}

export interface PasskeyBrowser extends AsyncDisposable {
  readonly server: TestServer;
  /** A browser of its own. */
  visit(): Promise<PasskeyVisit>;
  /** One of somebody who has joined, where joining is not what is tested. No page is open yet. */
  visitAs(username: string): Promise<PasskeyVisit>;
}

/** Opens a page with a device that has passkeys; with a passkey that exists already, if given. */
async function openVisit(
  browser: Browser,
  baseURL: string,
  known?: DevToolsCredential,
): Promise<PasskeyVisit> {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A request that is refused is shown to the person; the console repeats it.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  const confirming = await addAuthenticator(page, known);
  return {
    page,
    complaints,
    confirming,
    [Symbol.asyncDispose]: () => context.close(),
  };
}

export async function openPasskeyBrowser(): Promise<PasskeyBrowser> {
  // WebAuthn accepts no IP address.
  const [browser, server] = await Promise.all([
    openBrowser(),
    startServer({ BASE_URL: 'http://localhost:{port}' }),
  ]);

  async function visitAs(username: string): Promise<PasskeyVisit> {
    const session = openSession(server);
    const { passkey } = await session.join(username);
    const visited = await openVisit(browser, server.baseUrl, passkey.toDevTools());
    const [name = '', value = ''] = (session.cookie() ?? '').split('=');
    const cookie = { name, value, url: server.baseUrl, httpOnly: true };
    await visited.page.context().addCookies([cookie]);
    return visited;
  }

  return {
    server,
    visit: () => openVisit(browser, server.baseUrl),
    visitAs,
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Joins as a person does, up to the page of the account. Returns the recovery codes. */
export async function joinIn(page: Page, username: string): Promise<string[]> {
  await page.goto('/join');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Join with a passkey' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  const codes = await page.locator('#codes li').allInnerTexts();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByRole('heading', { name: 'Your articles' }).waitFor();
  await page.goto('/settings/security');
  await page.getByRole('heading', { name: 'Passkeys and sessions' }).waitFor();
  return codes;
}
