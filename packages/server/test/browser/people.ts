// People in real browsers: each has a device with passkeys, and is signed in. For journeys through pages.
import type { Page } from 'playwright-core';
import type { DevToolsCredential } from '#test/authenticator';
import { freshName, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser as openSession } from '#test/web-session';
import { openBrowser } from './browser.ts';
import type { Browser } from './browser.ts';

export interface Person extends AsyncDisposable {
  readonly page: Page;
  readonly username: string;
  /** What the browser complained about: errors of scripts, and what the policy of a page refused. */
  readonly complaints: readonly string[];
  /** Ends the session as if it were signed out elsewhere: the page does not know yet. */
  endSession(): Promise<void>;
}

export interface Device {
  readonly withoutScripts?: boolean;
  /** CSS pixels; 1280 by 900 if undefined. */
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  /** Fingers in place of a mouse, and the viewport of a phone. */
  readonly hasTouch?: boolean;
  readonly isMobile?: boolean;
}

export interface People extends AsyncDisposable {
  readonly server: TestServer;
  readonly browser: Browser;
  /**
   * Somebody who has joined, on a page of the service. The ceremony is not worked in the browser, which would take
   * longer than most tests do: sign-in.test.ts and the journeys join as people do.
   */
  join(username?: string, device?: Device): Promise<Person>;
  /** Somebody who is not signed in; `username` is empty. */
  visit(device?: Device): Promise<Person>;
}

/**
 * Gives the page a device that has passkeys; with a passkey that exists already, if given. It confirms every time,
 * until the function that is returned says otherwise.
 */
export async function addAuthenticator(
  page: Page,
  known?: DevToolsCredential,
): Promise<(enabled: boolean) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  if (known !== undefined)
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: known });
  return async (enabled) => {
    await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  };
}

/** Joins with a passkey. */
export async function joinAt(page: Page, username: string): Promise<void> {
  await page.goto('/join');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Join with a passkey' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
}

/** Starts a server and a browser. WebAuthn accepts no IP address, so the server has a name. */
export async function openPeople(settings: Readonly<Record<string, string>> = {}): Promise<People> {
  return peopleOf(await startServer({ BASE_URL: 'http://localhost:{port}', ...settings }));
}

/** Starts a browser for a server, which ends with it. */
export async function peopleOf(server: TestServer): Promise<People> {
  const browser = await openBrowser();

  async function openContext({ withoutScripts = false, ...look }: Device) {
    return browser.newContext({
      baseURL: server.baseUrl,
      javaScriptEnabled: !withoutScripts,
      viewport: { width: 1280, height: 900 },
      ...look,
    });
  }

  async function open(device: Device, known?: DevToolsCredential): Promise<Person> {
    const context = await openContext(device);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // A request that is refused is shown to the person; the console repeats it.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
    });
    if (device.withoutScripts !== true) await addAuthenticator(page, known);
    return {
      page,
      username: '',
      complaints,
      endSession: () => context.clearCookies(),
      [Symbol.asyncDispose]: () => context.close(),
    };
  }

  async function join(username = freshName(), device: Device = {}): Promise<Person> {
    const session = openSession(server);
    const { passkey } = await session.join(username);
    const person = await open(device, passkey.toDevTools());
    const [name = '', value = ''] = (session.cookie() ?? '').split('=');
    const context = person.page.context();
    await context.addCookies([{ name, value, url: server.baseUrl, httpOnly: true }]);
    await person.page.goto('/topics');
    return { ...person, username };
  }

  return {
    server,
    browser,
    join,
    visit: (device = {}) => open(device),
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
