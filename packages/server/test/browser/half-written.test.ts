// A comment, a reply or an appeal that is being written: a reload and a wrong link do not lose it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { storeToken } from '#test/accounts';
import { comment } from '#test/comments';
import { act, aModerator } from '#test/moderators';
import { until } from '#test/throw-away-database';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

/** The path of an article with one comment. */
async function anArticle(): Promise<string> {
  const { server } = people;
  const author = await server.register();
  const { id, url } = await server.published(author);
  await comment(server, author, id, { content: 'The first comment.' });
  return new URL(String(url)).pathname;
}

const commentOn = (page: Page) => page.getByLabel('Write a comment');

test(
  'a half-written comment is there after a reload and a wrong link, until it is sent',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints } = person;
    const path = await anArticle();
    await page.goto(path);
    await commentOn(page).fill('Half a thought');
    await page.reload();
    assert.equal(await commentOn(page).inputValue(), 'Half a thought');
    await page.goto('/topics');
    await page.goto(path);
    assert.equal(await commentOn(page).inputValue(), 'Half a thought');
    await page.goto(await anArticle());
    assert.equal(await commentOn(page).inputValue(), '', 'it belongs to one article');
    await page.goto(path);
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.comment').getByText('Half a thought').waitFor();
    assert.equal(await commentOn(page).inputValue(), '');
    await page.reload();
    assert.equal(await commentOn(page).inputValue(), '');
    await commentOn(page).fill('Another one');
    await commentOn(page).fill('');
    await page.reload();
    assert.equal(await commentOn(page).inputValue(), '', 'what was deleted stays deleted');
    assert.deepEqual(complaints, []);
  },
);

test(
  'a half-written reply is there after a reload, and apart from the comment',
  options,
  async () => {
    await using person = await people.join();
    const { page } = person;
    await page.goto(await anArticle());
    await commentOn(page).fill('For all');
    await page.getByRole('link', { name: 'Reply' }).click();
    await page.locator('#reply').fill('For you');
    await page.reload();
    assert.equal(await page.locator('#reply').inputValue(), 'For you');
    assert.equal(await commentOn(page).inputValue(), 'For all');
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await page.locator('.comment').getByText('For you').waitFor();
    await page.getByRole('link', { name: 'Reply' }).first().click();
    await page.locator('#reply').waitFor();
    assert.equal(await page.locator('#reply').inputValue(), '');
    assert.equal(await commentOn(page).inputValue(), 'For all');
  },
);

test('what one account has half written is not shown to another one', options, async () => {
  await using person = await people.join();
  await using other = await people.join();
  const { page } = person;
  const path = await anArticle();
  await page.goto(path);
  await commentOn(page).fill('Mine');
  const context = page.context();
  const own = await context.cookies();
  await context.clearCookies();
  await context.addCookies(await other.page.context().cookies());
  await page.goto(path);
  assert.equal(await commentOn(page).inputValue(), '');
  await context.clearCookies();
  await context.addCookies(own);
  await page.goto(path);
  assert.equal(await commentOn(page).inputValue(), 'Mine');
  // The other account signs in in another tab, and this one shows its page without a reload.
  await context.clearCookies();
  await context.addCookies(await other.page.context().cookies());
  await page.getByRole('link', { name: 'Reply' }).click();
  await page.locator('#reply').waitFor();
  await page.reload();
  assert.equal(await commentOn(page).inputValue(), '');
});

test('a reply that was cancelled is not in the form of the next one', options, async () => {
  await using person = await people.join();
  const { page } = person;
  await page.goto(await anArticle());
  await page.getByRole('link', { name: 'Reply' }).click();
  await page.locator('#reply').fill('Only for the first');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.locator('#reply').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Reply' }).click();
  await page.locator('#reply').waitFor();
  assert.equal(await page.locator('#reply').inputValue(), '');
});

for (const edit of [undefined, 'Sent once, and changed'])
  test(
    `a comment that was sent when the page was left ${edit === undefined ? 'is not doubled' : 'is another one once it is changed'}`,
    options,
    async () => {
      await using person = await people.join();
      const { page } = person;
      const path = await anArticle();
      await page.goto(path);
      const arrived = Promise.withResolvers<undefined>();
      await page.route(
        (url) => url.pathname === path,
        async (route) => {
          if (route.request().method() !== 'POST') return route.continue();
          await route.fetch({ maxRedirects: 0 });
          arrived.resolve(undefined);
        },
      );
      await commentOn(page).fill('Sent once');
      const send = () => page.getByRole('button', { name: 'Comment', exact: true }).click();
      await send();
      await arrived.promise;
      await page.reload();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      assert.equal(await commentOn(page).inputValue(), 'Sent once');
      if (edit !== undefined) await commentOn(page).fill(edit);
      await send();
      await until('it is sent', async () => (await commentOn(page).inputValue()) === '');
      const sent = page.locator('.comment').getByText('Sent once');
      assert.equal(await sent.count(), edit === undefined ? 1 : 2);
    },
  );

test('a comment whose key was spent on another text is sent after a reload', options, async () => {
  await using person = await people.join();
  const { page } = person;
  const path = await anArticle();
  await page.goto(path);
  // The comment arrives, and its answer does not.
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch({ maxRedirects: 0 });
      await route.abort();
    },
  );
  const send = () => page.getByRole('button', { name: 'Comment', exact: true }).click();
  await commentOn(page).fill('The first text');
  await send();
  await page.getByText('The service cannot be reached').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await commentOn(page).fill('The second text');
  await send();
  await page.getByText('This form was sent before with another text').waitFor();
  await page.reload();
  assert.equal(await commentOn(page).inputValue(), 'The second text');
  await send();
  await page.locator('.comment').getByText('The second text').waitFor();
});

for (const path of ['/settings/security', '/sign-in']) {
  test(`signing out on ${path} leaves nothing half written in the tab`, options, async () => {
    await using person = await people.join();
    const { page } = person;
    await page.goto(await anArticle());
    await commentOn(page).fill('Nobody else reads this');
    const stored = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    await page.goto(path);
    assert.match(await stored(), /Nobody else/);
    await page.getByRole('button', { name: /^Sign out( here)?$/ }).click();
    // The page is left: a look at that moment finds nothing to look at.
    await until('it is forgotten', async () =>
      stored().then(
        (text) => !text.includes('Nobody else'),
        () => false,
      ),
    );
  });
}

test('signing out in another tab leaves nothing half written in this one', options, async () => {
  await using person = await people.join();
  const { page } = person;
  await page.goto(await anArticle());
  await commentOn(page).fill('Nobody else reads this');
  const stored = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  assert.match(await stored(), /Nobody else/);
  const other = await page.context().newPage();
  await other.goto('/settings/security');
  await other.getByRole('button', { name: 'Sign out here' }).click();
  await until('it is forgotten', async () => !(await stored()).includes('Nobody else'));
  await commentOn(page).press('!');
  assert.doesNotMatch(await stored(), /Nobody else/, 'typing on does not keep it again');
});

test('a half-written appeal is there after a reload', options, async () => {
  const { server } = people;
  await using person = await people.join();
  const { page, username } = person;
  const { body: me } = await server.ask('GET', `/v1/usernames/${username}`);
  const human = {
    id: me.id,
    username,
    token: await storeToken(server, me.id, ['articles:write', 'articles:publish']),
  };
  const { id } = await server.published(human);
  const decision = await act(server, await aModerator(server), {
    target_type: 'article',
    target_id: id,
    action: 'warn',
    reason_text: 'No adverts.',
  });
  await page.goto(`/decisions/${decision.id}`);
  await page.getByLabel('Why is the decision wrong?').fill('It is a poem');
  await page.reload();
  assert.equal(await page.getByLabel('Why is the decision wrong?').inputValue(), 'It is a poem');
});

test('without storage, a comment is written and sent as before', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('Switched off', 'SecurityError');
      },
    });
  });
  await page.goto(await anArticle());
  await commentOn(page).fill('Without storage');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.locator('.comment').getByText('Without storage').waitFor();
  assert.equal(await commentOn(page).inputValue(), '');
  assert.deepEqual(complaints, []);
});
