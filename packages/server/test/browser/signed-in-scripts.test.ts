// Hostile texts on the pages of a signed-in person in a real browser, with the policy switched off: none runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryScopes } from '@colophon/contract';
import type { Page } from 'playwright-core';
import { storeToken } from '#test/accounts';
import { untilSettled } from '#test/edges';
import { send, sendingOf } from '#test/forms/disguises';
import { settle } from '#test/forms/people';
import type { Inhabited } from '#test/forms/people';
import { encodePairs, filledIn } from '#test/forms/shown-forms';
import { formsOf, walk } from '#test/forms/walk';
import type { MetPage } from '#test/forms/walk';
import { startServer } from '#test/harness';
import type { Response, TestServer } from '#test/harness';
import { drawSample } from '../faults/sampled.ts';
import { seed } from '../seed.ts';
import { noBrowser, openBrowser } from './browser.ts';
import { plantModeration } from './hostile-moderation.ts';
import type { Planted } from './hostile-moderation.ts';
import { titlePayloads } from './payloads.ts';

/** Returns a path with its query, encoded as a browser writes it. */
function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}

const list = drawSample(titlePayloads(), 1);

/** Revises an article, so that its history and its review show a change from one hostile text to another. */
async function revise(server: TestServer, token: string, made: Response, vector: string) {
  const { id = '', revision_id: first = '' } = made.body;
  const body = {
    title: `${vector.slice(0, 150)} again`,
    content: `Before\n\n${vector}\n\n> ${vector}`,
    expected_revision_id: first,
  };
  const revised = await server.ask('POST', `/v1/articles/${id}/revisions`, {
    token,
    key: true,
    body,
  });
  return { revised, pair: withQuery('', { from: first, to: revised.body.revision_id ?? '' }) };
}

/** The pages that show an article to its author, and those that find it among others. */
function pagesOf({ body: { id = '', url = '' } }: Response, pair: string, vector: string) {
  const words = vector.slice(0, 60);
  const place = new URL(url).pathname;
  return [
    ...['', '/publish', '/preview', '/history', `/history${pair}`, '/remove'].map(
      (part) => `/write/${id}${part}`,
    ),
    ...['hostile', words, `https://e.example/${words}`].map((link) => withQuery(place, { link })),
    withQuery('/search', { q: 'hostile' }),
  ];
}

/** The agent publishes a hostile text and drafts another one: its review shows the changes. */
async function draftOfAgent(
  server: TestServer,
  { body }: Response,
  article: object,
  vector: string,
): Promise<readonly Response[]> {
  const token = await storeToken(server, body.principal_id ?? '', ordinaryScopes);
  const made = await server.ask('POST', '/v1/articles', { token, key: true, body: article });
  const path = `/v1/articles/${made.body.id}/publish`;
  const published = await server.ask('POST', path, { token, key: true, body: {} });
  const { revised } = await revise(server, token, made, vector);
  return [made, published, revised];
}

/** Writes a vector into every text of the person, as far as each is taken. */
async function plant(server: TestServer, people: Inhabited, vector: string): Promise<Planted> {
  const { person, other, browser } = people;
  const { token } = person;
  const [short, line] = [vector.slice(0, 60), vector.slice(0, 120)];
  const article = {
    title: `Hostile ${vector.slice(0, 190)}`,
    content: `${vector}\n\n[x](${vector})`,
    metadata: { topics: [short.slice(0, 50)], description: vector },
  };
  const own = await server.ask('POST', '/v1/articles', { token, key: true, body: article });
  const { id = '' } = own.body;
  const name = `agent-${Math.random().toString(36).slice(2, 10).replaceAll(/[01]/g, 'x')}z`;
  const agent = await server.ask('POST', '/v1/agents', {
    token,
    key: true,
    body: { username: name, display_name: line, model: short, provider: short },
  });
  const edge = {
    src_article_id: id,
    kind: 'cites',
    dst_uri: `https://e.example/${encodeURI(short)}`,
  };
  const media = { kind: 'image', alt_text: vector, source: 'uploaded' };
  const passkeys = (await browser.ask('GET', '/-/passkeys')).body.items;
  const answers = [
    own,
    await server.ask('POST', `/v1/articles/${id}/publish`, { token, key: true, body: {} }),
    await server.ask('PATCH', `/v1/principals/${person.id}`, { token, body: { bio: vector } }),
    await server.ask('PATCH', `/v1/principals/${person.id}`, {
      token,
      body: { display_name: line },
    }),
    await server.ask('PATCH', `/v1/principals/${other.id}`, {
      token: other.token,
      body: { display_name: line },
    }),
    agent,
    await server.ask('POST', '/v1/tokens', {
      token,
      key: true,
      body: { principal_id: person.id, name: short, scopes: [] },
    }),
    await server.ask('POST', '/v1/edges', { token, key: true, body: { ...edge, note: line } }),
    await server.ask('POST', '/v1/media', { token, key: true, body: media }),
    await server.ask('POST', `/v1/articles/${id}/comments`, {
      token: other.token,
      key: true,
      body: { content: vector },
    }),
    await browser.ask('PATCH', `/-/passkeys/${passkeys[0]?.id}`, { body: { name: short } }),
  ];
  const { revised, pair } = await revise(server, token, own, vector);
  const drafted = await draftOfAgent(server, agent, article, vector);
  return {
    texts: [...answers, revised, ...drafted].filter(({ status }) => status < 300).length,
    paths: [...pagesOf(own, pair, vector), `/review/${drafted[0]?.body.id}`],
  };
}

/** Runs in the page: fires what a reader's hand does. */
function touch(): void {
  for (const element of document.querySelectorAll('body *')) {
    for (const type of ['mouseover', 'focus', 'toggle', 'error', 'load'])
      element.dispatchEvent(new Event(type));
  }
}

async function openPage(server: TestServer, cookie: string) {
  const browser = await openBrowser();
  const context = await browser.newContext({ bypassCSP: true });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: server.baseUrl }]);
  const seen: string[] = [];
  await context.exposeFunction('ran', (number: unknown) => void seen.push(`ran ${String(number)}`));
  const page: Page = await context.newPage();
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${server.baseUrl}/`)) seen.push(`request ${request.url()}`);
  });
  return { page, seen, browser };
}

const parameters =
  'next kind cursor q show said done reply from to before category type id username actor action target_type target_id after month reason_code source revision format view order stance depth'.split(
    ' ',
  );

/** Every page by its own address, and with a vector in every parameter that pages read. */
function addressesOf(met: readonly MetPage[]): readonly string[] {
  return met.flatMap(({ path, page }, at) => {
    if (!(page.headers.get('content-type') ?? '').startsWith('text/html')) return [];
    const vector = encodeURIComponent((list[at % list.length] ?? '').slice(0, 200));
    const query = parameters.map((name) => `${name}=${vector}`).join('&');
    return [path, `${path}${path.includes('?') ? '&' : '?'}${query}`];
  });
}

/** Returns pages that refuse forms, each sent with vectors in all its fields, with a session or without. */
async function refusedForms(
  server: TestServer,
  cookie: string,
  met: readonly MetPage[],
): Promise<readonly string[]> {
  const forms = new Map(formsOf(met).map((one) => [`${one.pattern} ${one.name}`, one]));
  const both = [...forms.values()].flatMap((form) => [
    { form, sender: cookie },
    { form, sender: undefined },
  ]);
  const texts: string[] = [];
  for (const { form, sender } of drawSample(both, 24)) {
    const fields = filledIn(form.form).map(
      ([name], at) => [name, name === 'key' ? 'x' : (list[at % list.length] ?? '')] as const,
    );
    const sending = { ...sendingOf(form), body: encodePairs(fields) };
    texts.push((await send(server, sender, sending)).text);
  }
  return texts;
}

/** Shows texts as pages of the server. */
async function showTexts(server: TestServer, page: Page, texts: readonly string[]): Promise<void> {
  let body = '';
  await page.route('**/-shown', (route) => route.fulfill({ contentType: 'text/html', body }));
  for (const text of texts) {
    body = text;
    await page.goto(`${server.baseUrl}/-shown`, { waitUntil: 'load' });
    await page.evaluate(touch);
  }
  await page.unroute('**/-shown');
}

test(
  'no vector runs on any page of a signed-in person, nor in a form that came back',
  { skip: noBrowser },
  async (t) => {
    await using server = await startServer();
    const people = await settle(server);
    let planted = 0;
    const places: string[] = [];
    for (const vector of list) {
      for (const { texts, paths } of [
        await plant(server, people, vector),
        await plantModeration(server, people, vector),
      ]) {
        planted += texts;
        places.push(...paths);
      }
    }
    assert.ok(planted > list.length * 13, `${planted} texts`);
    await untilSettled(server);
    const { browser: person, starts } = people;
    const cookie = person.cookie() ?? '';
    const met = await walk({
      server,
      fetch: person.page,
      starts: [...starts, ...places],
      ofKind: 1,
    });
    for (const place of places) {
      const found = met.find(({ path }) => path === place);
      assert.equal(found?.page.status, 200, place);
    }
    for (const shown of ['class="found"', 'class="changes"'])
      assert.ok(
        met.some(({ page }) => page.text.includes(shown)),
        shown,
      );
    const paths = drawSample(addressesOf(met), 48);
    const { page, seen, browser } = await openPage(server, cookie);
    for (const path of paths) {
      await page.goto(server.baseUrl + path, { waitUntil: 'load' });
      await page.evaluate(touch);
    }
    const refused = await refusedForms(server, cookie, met);
    await showTexts(server, page, refused);
    assert.deepEqual(seen, [], `SEED=${seed}`);
    await showTexts(server, page, ['<!doctype html><script>ran(1)</script>']);
    assert.deepEqual(seen, ['ran 1'], 'a script that gets through is seen');
    await browser.close();
    t.diagnostic(`${planted} texts, ${paths.length} pages, ${refused.length} forms, 0 scripts`);
  },
);
