// The offer of passkeys in the field of /sign-in goes on however long the page stays open, in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#database';
import { freshName } from '#test/harness';
import { noBrowser } from './browser.ts';
import { joinIn, openPasskeyBrowser } from './passkeys.ts';
import type { PasskeyBrowser } from './passkeys.ts';

const options = { skip: noBrowser };

let opened: PasskeyBrowser;
before(async () => {
  if (noBrowser === false) opened = await openPasskeyBrowser();
});
after(() => opened?.[Symbol.asyncDispose]());

/** Expires every challenge that was sent. */
async function expire(): Promise<void> {
  await opened.server.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update ceremonies
      set expires_at = now()
      where kind = 'sign-in'`),
  );
}

/** The challenges that a page has asked for. */
function challengesOf(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/-/sign-in/begin')) count += 1;
  });
  return () => count;
}

/** Marks a page that has offered a passkey: a challenge that has arrived is not yet an offer. */
async function markOffers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { credentials } = navigator;
    const get = credentials.get.bind(credentials);
    credentials.get = (asked) => {
      document.documentElement.dataset['offered'] = 'yes';
      return get(asked);
    };
  });
}

async function untilBegun(page: Page, begun: () => number, count: number): Promise<void> {
  if (begun() < count) await page.waitForResponse('**/-/sign-in/begin');
  assert.equal(begun(), count);
}

async function joinAsNew(page: Page): Promise<void> {
  await joinIn(page, freshName());
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.waitForURL(`${opened.server.baseUrl}/`);
}

test(
  'the challenge is renewed before it expires, and the passkey then signs in',
  options,
  async () => {
    await using visited = await opened.visit();
    const { page, complaints, confirming } = visited;
    await joinAsNew(page);
    await confirming(false);
    await page.clock.install();
    const begun = challengesOf(page);
    await markOffers(page);
    await page.goto('/sign-in');
    await untilBegun(page, begun, 1);
    await page.locator('html[data-offered]').waitFor();
    // The passkey that is offered first is not picked; the next one is.
    await page.route('**/-/sign-in/begin', async (route) => {
      await confirming(true);
      await route.continue();
    });
    // The clock goes on meanwhile: half a minute is enough for a busy machine.
    await page.clock.fastForward('08:30');
    assert.equal(begun(), 1);
    await expire();
    await page.clock.fastForward('00:31');
    await page.getByRole('heading', { name: 'Latest' }).waitFor();
    assert.equal(begun(), 2);
    assert.deepEqual(complaints, []);
  },
);

test('a page that comes back after a long time renews the challenge at once', options, async () => {
  await using visited = await opened.visit();
  const { page } = visited;
  await page.clock.install();
  const begun = challengesOf(page);
  await page.goto('/sign-in');
  await untilBegun(page, begun, 1);
  const shown = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await shown();
  assert.equal(begun(), 1, 'not before it is old');
  // As after sleep: the time has passed, and no timer has run.
  await page.clock.setSystemTime(Date.now() + 9 * 60_000 + 1_000);
  const renewed = page.waitForResponse('**/-/sign-in/begin');
  await shown();
  await renewed;
  assert.equal(begun(), 2);
});

test(
  'a challenge that has expired all the same is replaced once, without a word',
  options,
  async () => {
    await using visited = await opened.visit();
    const { page, complaints } = visited;
    await joinAsNew(page);
    const begun = challengesOf(page);
    await page.route('**/-/sign-in/begin', async (route) => {
      const response = await route.fetch();
      if (begun() === 1) await expire();
      await route.fulfill({ response });
    });
    await page.goto('/sign-in');
    await page.getByRole('heading', { name: 'Latest' }).waitFor();
    assert.equal(begun(), 2);
    assert.deepEqual(complaints, []);
  },
);

test('a challenge that expires again is reported beside the button', options, async () => {
  await using visited = await opened.visit();
  const { page } = visited;
  await joinAsNew(page);
  const begun = challengesOf(page);
  await page.route('**/-/sign-in/begin', async (route) => {
    const response = await route.fetch();
    await expire();
    await route.fulfill({ response });
  });
  await page.goto('/sign-in');
  await page.getByRole('alert').getByText('Begin again').waitFor();
  assert.equal(begun(), 2);
});
