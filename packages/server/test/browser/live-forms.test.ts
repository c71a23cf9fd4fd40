// Forms in a real browser: sent without a reload, by keyboard, without scripts, after the session ended.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshName } from '#test/harness';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

test('following changes the button without a reload, by keyboard alone', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  const { username } = await people.server.register();
  await page.goto(`/@${username}`);
  await page.evaluate(() => document.body.setAttribute('data-kept', ''));
  await page.getByRole('button', { name: 'Follow' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Unfollow' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'follow');
  assert.ok(await page.getByText('1 follower').isVisible());
  assert.equal(await page.locator('[data-kept]').count(), 1, 'the page was not loaded again');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test(
  'searches and filters of the signed-in lead to their short address without a redirect',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints } = person;
    const { origin } = new URL(people.server.baseUrl);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) asked.push(request.url().slice(origin.length));
    });
    await page.goto('/search');
    await page.locator('#q').fill('hedgehogs');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=hedgehogs/);
    await page.goto('/transparency');
    const month = await page.locator('#month-of').inputValue();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/month=/);
    assert.deepEqual(asked, [
      '/search',
      '/search?q=hedgehogs&type=article',
      '/transparency',
      `/transparency?month=${month}`,
    ]);
    assert.deepEqual(complaints, []);
  },
);

test('a form that is being sent looks like it, and the pointer waits', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  const { username } = await people.server.register();
  await page.goto(`/@${username}`);
  const look = () =>
    page.locator('#follow').evaluate((button) => {
      const { cursor, borderTopStyle } = getComputedStyle(button);
      return { cursor, borderTopStyle };
    });
  assert.deepEqual(await look(), { cursor: 'pointer', borderTopStyle: 'solid' });
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/*form=follow*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Follow' }).click();
  assert.deepEqual(await look(), { cursor: 'progress', borderTopStyle: 'dashed' });
  goOn();
  await page.getByRole('button', { name: 'Unfollow' }).waitFor();
  assert.deepEqual(complaints, []);
});

test(
  'a proxy answers with a page of its own: the form says that there was no answer',
  options,
  async () => {
    await using person = await people.join();
    const { page } = person;
    await page.goto('/settings');
    const body = '<h1>502 Bad Gateway</h1>';
    await page.route(
      '**/settings?form=profile',
      (route) => route.fulfill({ status: 502, contentType: 'text/html', body }),
      { times: 1 },
    );
    await page.locator('main [name="display_name"]').fill('Ada');
    await page.keyboard.press('Enter');
    await page.getByText('The service did not answer. Try again.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Your profile is saved.').waitFor();
  },
);

test('what is typed while a form is being sent stays, and typing goes on', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  await page.goto('/settings');
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/settings?form=profile', async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  const about = page.locator('main [name="bio"]');
  await page.locator('main [name="display_name"]').fill('Ada');
  await page.keyboard.press('Enter');
  await asked.promise;
  await about.focus();
  await page.keyboard.type('Writes about moss');
  held.resolve();
  await page.locator('main .note[role="status"]').waitFor();
  assert.equal(await page.locator('main [name="display_name"]').inputValue(), 'Ada');
  await page.keyboard.type(' and peat');
  assert.equal(await about.inputValue(), 'Writes about moss and peat');
  assert.deepEqual(complaints, []);
});

test('the exact time, when pointed at, is written as on the pages', options, async () => {
  await using person = await people.join();
  const { url } = await people.server.published(await people.server.register());
  await person.page.goto(url);
  const title = await person.page.locator('time').first().getAttribute('title');
  assert.match(title ?? '', /^\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d$/);
});

test(
  'times that are compared are exact where scripts run, in the reader’s zone',
  options,
  async () => {
    await using person = await people.join();
    const { url } = await people.server.published(await people.server.register());
    await person.page.goto(`${url}/revisions`);
    const time = person.page.locator('main time').last();
    assert.match(await time.innerText(), /^\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d$/);
  },
);

test('an error page never takes the place of the content', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  const { username } = await people.server.register();
  await page.goto(`/@${username}`);
  const failed = { status: 503, contentType: 'text/html', body: '<main id="main">Busy</main>' };
  let count = 0;
  await page.route(`**/@${username}*`, async (route) => {
    const asked = route.request();
    const isScript = asked.method() === 'GET' && !asked.isNavigationRequest();
    if (!isScript) return route.continue();
    count += 1;
    return route.fulfill(failed);
  });
  const answered = page.waitForResponse((response) => response.status() === 503);
  await page.evaluate(() =>
    document.dispatchEvent(new CustomEvent('reload', { detail: location.href })),
  );
  await answered;
  assert.ok(await page.getByRole('button', { name: 'Follow' }).isVisible());
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByRole('button', { name: 'Unfollow' }).waitFor();
  assert.equal(count, 2);
  assert.deepEqual(complaints, []);
});

test('a session that has ended: a dialog, and the form goes on', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  const { username } = await people.server.register();
  await page.goto(`/@${username}`);
  await person.endSession();
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('button', { name: 'Unfollow' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('without scripts the form works with a reload', options, async () => {
  await using person = await people.join(freshName(), { withoutScripts: true });
  const { page } = person;
  const { username } = await people.server.register();
  await page.goto(`/@${username}`);
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByRole('button', { name: 'Unfollow' }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/@${username}`);
});

test('what a form did gets the focus: without scripts, and on another page', options, async () => {
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
  await using plain = await people.join(freshName(), { withoutScripts: true });
  await plain.page.goto('/settings');
  await plain.page.getByRole('button', { name: 'Save the profile' }).click();
  await plain.page.waitForURL('**/settings?done=profile#done');
  assert.equal(await focused(plain.page), 'Your profile is saved.');
  await using person = await people.join();
  await person.page.goto('/settings/agents');
  await person.page.locator('#new-agent > summary').click();
  await person.page.getByLabel('Username').fill(freshName());
  await person.page.keyboard.press('Enter');
  await person.page.waitForURL('**/settings/agents/*#done');
  await person.page.locator('#done:focus').waitFor();
  assert.match(await focused(person.page), /^The agent is created/);
});

test('what the form before did is not said beside a fault', options, async () => {
  await using person = await people.join();
  const { page } = person;
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Save the profile' }).click();
  await page.getByText('Your profile is saved.').waitFor();
  await page.getByLabel('Name (optional)').fill('a\u202eb');
  await page.getByRole('button', { name: 'Save the profile' }).click();
  await page.locator('#display_name-fault:not(:empty)').waitFor();
  assert.equal(await page.getByText('Your profile is saved.').count(), 0);
});
