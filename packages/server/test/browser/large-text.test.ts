// Text of twice the size on a small phone: no page scrolls sideways, and the skip link stays hidden until it is focused.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { comment } from '#test/comments';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

async function enlargeText(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
}

/** Saves, publishes and changes an article in the editor of the service, and returns its addresses. */
async function publishTwice(page: Page): Promise<{
  readonly own: string;
  readonly url: string;
  readonly revision: string;
}> {
  return page.evaluate(async () => {
    const send = async (method: string, path: string, body: object) => {
      const headers = {
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      };
      const answer = await fetch(path, { method, headers, body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, string>;
    };
    const draft = await send('POST', '/-/v1/articles', { title: 'On moss', content: 'First.' });
    const path = `/-/v1/articles/${draft['id']}`;
    const publish = (revision: string | undefined) =>
      send('POST', `${path}/publish`, { revision_id: revision });
    await publish(draft['revision_id']);
    const expected = { content: 'Second.', expected_revision_id: draft['revision_id'] };
    const next = await send('POST', `${path}/revisions`, expected);
    const { url = '' } = await publish(next['revision_id']);
    const revision = next['revision_id'] ?? '';
    return { own: `/write/${draft['id']}`, url: new URL(url).pathname, revision };
  });
}

/** An article with a comment of each stance, each of which answers the one before; returns its path. */
async function aDiscussion(): Promise<string> {
  const { server } = people;
  const author = await server.register();
  const { id, url } = await server.published(author);
  let parent: string | undefined;
  for (const stance of ['supports', 'disagrees', 'challenges', 'clarifies', 'asks', 'cites'])
    ({ id: parent } = await comment(server, author, id, {
      content: 'Moss needs shade.',
      stance,
      ...(parent === undefined ? {} : { parent_comment_id: parent }),
    }));
  return new URL(url).pathname;
}

/** What reaches beyond the page, for the message of a failure. */
function widest(): string[] {
  const { clientWidth: width, scrollWidth } = document.documentElement;
  if (scrollWidth <= width) return [];
  const beyond = [...document.querySelectorAll('body *')].filter(
    (one) => one.closest('.scroll') === null && one.getBoundingClientRect().right > width + 1,
  );
  const names = beyond.slice(0, 8).map((one) => `${one.localName}.${one.className}`);
  return [`${scrollWidth} px: ${names.join(', ')}`];
}

test('at 360 pixels and twice the text, no page scrolls sideways', options, async () => {
  await using person = await people.join(undefined, { viewport: { width: 360, height: 800 } });
  const { page } = person;
  const { own, url, revision } = await publishTwice(page);
  const talk = await aDiscussion();
  await enlargeText(page);
  const paths = [
    talk,
    '/search?q=moss&kind=human&disclosure=human_authored',
    '/',
    '/write',
    url,
    `${url}/revisions`,
    `${url}/revisions?to=${revision}`,
    `${url}/revisions?to=${revision}&view=sides`,
    `${url}/revisions/${revision}`,
    '/settings',
    '/settings/security',
    '/settings/agents',
    '/transparency',
    `${own}/publish`,
    `${own}/remove`,
  ];
  const found: string[] = [];
  // A stranger's pages have no script that shortens the times.
  await using visitor = await people.visit({ viewport: { width: 360, height: 800 } });
  await enlargeText(visitor.page);
  for (const path of [`${url}/revisions`, `${url}/revisions/${revision}`, talk]) {
    await visitor.page.goto(path);
    found.push(...(await visitor.page.evaluate(widest)).map((fault) => `${path}: ${fault}`));
  }
  for (const path of paths) {
    const response = await page.goto(path);
    assert.equal(response?.status(), 200, path);
    await page.evaluate(() => {
      for (const part of document.querySelectorAll('main details')) part.setAttribute('open', '');
    });
    found.push(...(await page.evaluate(widest)).map((fault) => `${path}: ${fault}`));
  }
  assert.deepEqual(found, []);
});

test('the skip link is hidden at twice the text until it has the focus', options, async () => {
  await using visitor = await people.visit({ viewport: { width: 360, height: 800 } });
  const { page } = visitor;
  await enlargeText(page);
  await page.goto('/');
  const edges = () =>
    page.locator('.skip').evaluate((link) => {
      const { top, bottom } = link.getBoundingClientRect();
      return { top, bottom };
    });
  assert.ok((await edges()).bottom <= 0, JSON.stringify(await edges()));
  await page.keyboard.press('Tab');
  assert.ok((await edges()).top >= 0, JSON.stringify(await edges()));
});
