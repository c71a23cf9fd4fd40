// Hostile names, descriptions and models on the pages of settings: none runs, none leaves an element.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshKey, freshName } from '#test/harness';
import { drawSample } from '../faults/sampled.ts';
import { noBrowser } from './browser.ts';
import { titlePayloads } from './payloads.ts';
import { openPeople } from './people.ts';
import type { People, Person } from './people.ts';

const options = { skip: noBrowser };
const vectors = titlePayloads();
const list = drawSample(vectors, Math.ceil(vectors.length / 7));

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

/** Sends JSON to the operations of a session, from the page of the person. */
function ask<T>(page: Page, method: string, path: string, body: object): Promise<T> {
  const sent = { method, path, body: JSON.stringify(body), key: freshKey() };
  return page.evaluate(async ({ key, ...request }) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const { path: url, ...rest } = request;
    return (await fetch(`/-/v1${url}`, { ...rest, headers })).json();
  }, sent);
}

interface Planted {
  readonly paths: readonly string[];
  readonly texts: number;
}

/** Every vector as name, description, model and provider of an agent, and as name of a token. */
async function plant({ page }: Person): Promise<Planted> {
  const paths = ['/settings', '/settings/tokens', '/settings/agents', '/settings/close'];
  let texts = 0;
  const me = await ask<{ id: string }>(page, 'PATCH', `/principals/${await ownId(page)}`, {
    bio: list.join('\n').slice(0, 2000),
  });
  for (const vector of list) {
    const machine = { model: vector.slice(0, 120), provider: vector.slice(0, 120) };
    const username = freshName();
    const made = await ask<{ principal_id?: string }>(page, 'POST', '/agents', {
      username,
      ...machine,
    });
    const plain = made.principal_id ?? '';
    if (plain === '') continue;
    const [named, described] = [
      await ask<{ id?: string }>(page, 'PATCH', `/principals/${plain}`, {
        display_name: vector.slice(0, 120),
      }),
      await ask<{ id?: string }>(page, 'PATCH', `/principals/${plain}`, { bio: vector }),
    ];
    for (const principal_id of [plain, me.id])
      await ask(page, 'POST', '/tokens', { principal_id, name: vector.slice(0, 80) });
    texts += 4 + [named, described].filter(({ id }) => id !== undefined).length;
    paths.push(`/settings/agents/${username}`);
  }
  return { paths, texts };
}

const ownId = (page: Page) => page.evaluate(() => document.documentElement.dataset['reader'] ?? '');

/** Runs in the page: elements and attributes that our own pages do not have. */
function strangers(): string[] {
  const ours = new Set(
    'html head meta title link script body a header nav ul ol li main h1 h2 h3 p section div form input label select option textarea button details summary span strong code meter time fieldset legend noscript footer bdi br pre'.split(
      ' ',
    ),
  );
  const found: string[] = [];
  for (const element of document.querySelectorAll('*')) {
    for (const type of ['mouseover', 'focus', 'toggle', 'error', 'load'])
      element.dispatchEvent(new Event(type));
    if (!ours.has(element.localName)) found.push(element.localName);
    for (const { name, value } of element.attributes)
      if (
        /^(?:on|style$|srcdoc$|formaction$)/.test(name) ||
        /^\s*(?:javascript|data):/i.test(value)
      )
        if (name !== 'value') found.push(`${element.localName} ${name} ${value}`);
    if (element.localName === 'script' && element.textContent !== '') found.push('inline script');
  }
  return found;
}

test('on every page of settings, shown and typed again', options, async (t) => {
  await using person = await people.join();
  const { page, complaints } = person;
  await page.goto('/settings');
  const planted = await plant(person);
  assert.equal(planted.texts, list.length * 6);
  const events: string[] = [];
  await page.exposeFunction('ran', (number: unknown) => void events.push(`ran ${String(number)}`));
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(people.server.baseUrl)) events.push(request.url());
  });
  for (const path of planted.paths) {
    await page.goto(path);
    for (const details of await page.locator('details').all())
      await details.evaluate((element) => element.setAttribute('open', ''));
    assert.deepEqual(await page.evaluate(strangers), [], path);
    assert.equal(new URL(page.url()).pathname, path);
  }
  await page.goto('/settings');
  for (const vector of list) {
    await page.getByLabel('Name').fill(vector.slice(0, 120));
    await page.getByLabel('About').fill(`${vector}\u0000`);
    assert.deepEqual(await page.evaluate(strangers), [], 'in the preview');
  }
  assert.deepEqual(events, []);
  assert.deepEqual(complaints, []);
  t.diagnostic(`${planted.texts} texts on ${planted.paths.length} pages, 0 scripts`);
});

test('in forms that are refused, without scripts', options, async () => {
  await using person = await people.join(freshName(), { withoutScripts: true });
  const { page } = person;
  const events: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(people.server.baseUrl)) events.push(request.url());
  });
  // A page never has a NUL: browsers show another character in its place.
  for (const vector of list.filter((one) => !one.includes('\0')).slice(0, 5)) {
    await page.goto('/settings/agents');
    await page.locator('#new-agent > summary').click();
    await page.getByLabel('Username').fill(vector.slice(0, 32));
    await page.getByLabel('Provider').fill(vector.slice(0, 120));
    const isFilled = (await page.getByLabel('Username').inputValue()).length >= 3;
    assert.ok(isFilled, vector);
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.locator('#username-fault').waitFor();
    assert.equal(await page.getByLabel('Username').inputValue(), vector.slice(0, 32));
  }
  assert.deepEqual(events, []);
});
