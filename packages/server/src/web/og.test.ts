// Tests of GET /og/{article_id}.png: who may read an image, its caching, and whose image it is.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { rebuildingOgImages } from '#share-images';
import { removeLegally } from '#test/accounts';
import { createAgent } from '#test/agents';
import { assertProblem, startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { askImage, keptImage } from '#test/og-images';
import { quiet, until } from '#test/throw-away-database';

/** Without a pipeline: images are drawn and deleted only when a test requests it. */
const still = await startServer({ ROLE: 'web' });
const flowing = await startServer({}, {}, { drawsAhead: true });
after(async () => {
  await still[Symbol.asyncDispose]();
  await flowing[Symbol.asyncDispose]();
});

/** Does what the pipeline would do at this point. */
function catchUp(server: TestServer, id: string): Promise<void> {
  const services = { db: server.db, log: quiet, now: () => new Date() };
  return rebuildingOgImages(server.services).rebuild(id, services);
}

test('200 a PNG of 1200 × 630, drawn once and kept; 304 for its tag', async () => {
  const human = await still.register();
  const { id } = await still.published(human, { title: 'Hello' });
  const first = await askImage(still, id);
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('content-type'), 'image/png');
  assert.equal(
    first.headers.get('cache-control'),
    'public, max-age=3600, s-maxage=1, stale-while-revalidate=2',
  );
  assert.equal(first.headers.get('x-content-trust'), 'untrusted');
  assert.equal(first.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(first.headers.get('content-length'), String(first.bytes.length));
  assert.equal(first.headers.get('x-robots-tag'), null);
  const { format, width, height } = await sharp(first.bytes).metadata();
  assert.deepEqual([format, width, height], ['png', 1200, 630]);
  const kept = await keptImage(still, id);
  assert.equal(kept?.byte_size, first.bytes.length);
  const second = await askImage(still, id);
  assert.equal(second.bytes.equals(first.bytes), true);
  assert.deepEqual(await keptImage(still, id), kept);
  const etag = first.headers.get('etag') ?? '';
  assert.equal(etag, `"${kept?.key}"`);
  const again = await askImage(still, id, { headers: { 'if-none-match': etag } });
  assert.deepEqual([again.status, again.bytes.length], [304, 0]);
});

test('200 for a title and a name of the widest letters, and the pipeline is done with them', async () => {
  const human = await flowing.register();
  const renamed = await flowing.ask('PATCH', `/v1/principals/${human.id}`, {
    token: human.token,
    body: { display_name: '\uFDFD'.repeat(120) },
  });
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
  const { id } = await flowing.published(human, { title: '\u2E3B'.repeat(300) });
  assert.equal((await askImage(flowing, id)).status, 200);
  await until('the image is made', async () => {
    const { body } = await flowing.ask('GET', `/v1/articles/${id}/processing`);
    return body.og_image === 'done';
  });
});

test('HEAD answers the same headers, and draws nothing', async () => {
  const human = await still.register();
  const { id } = await still.published(human);
  const before = await askImage(still, id, { method: 'HEAD' });
  assert.deepEqual([before.status, before.headers.get('content-length')], [200, null]);
  assert.equal(await keptImage(still, id), undefined);
  const { bytes } = await askImage(still, id);
  const later = await askImage(still, id, { method: 'HEAD' });
  assert.equal(later.headers.get('content-length'), String(bytes.length));
});

test('two requests at once draw and keep one image', async () => {
  const human = await still.register();
  const { id } = await still.published(human, { title: 'At once' });
  const asked = await Promise.all(Array.from({ length: 6 }, () => askImage(still, id)));
  for (const { status, bytes } of asked) {
    assert.equal(status, 200);
    assert.equal(bytes.equals(asked[0]?.bytes ?? Buffer.alloc(0)), true);
  }
  const kept = await keptImage(still, id);
  assert.ok(kept && (await still.services.store.exists(kept.name)));
});

test('the pipeline makes the image of what is published in public, and a new one for a new title', async () => {
  const human = await flowing.register();
  const { id, revision_id } = await flowing.published(human, { title: 'One' });
  await until('it is made', async () => (await keptImage(flowing, id)) !== undefined);
  const first = await keptImage(flowing, id);
  assert.ok(first);
  assert.equal(first.revision_id, revision_id);
  const revised = await flowing.ask('POST', `/v1/articles/${id}/revisions`, {
    token: human.token,
    key: true,
    headers: { 'if-match': `"${revision_id}"` },
    body: { title: 'Two', content: 'Some text.' },
  });
  assert.equal(revised.status, 201, JSON.stringify(revised.body));
  const published = { token: human.token, key: true as const, body: {} };
  await flowing.ask('POST', `/v1/articles/${id}/publish`, published);
  await until('it is made again', async () => {
    const row = await keptImage(flowing, id);
    return row !== undefined && row.key !== first.key;
  });
  const second = await keptImage(flowing, id);
  assert.equal(second?.revision_id, revised.body.revision_id);
  await until('the old bytes are gone', async () => {
    return !(await flowing.services.store.exists(first.name));
  });
  assert.ok(second && (await flowing.services.store.exists(second.name)));
});

test('a revision with the same title keeps the image', async () => {
  const human = await still.register();
  const { id, revision_id } = await still.published(human, { title: 'Same' });
  await catchUp(still, id);
  const first = await keptImage(still, id);
  const revised = await still.ask('POST', `/v1/articles/${id}/revisions`, {
    token: human.token,
    key: true,
    headers: { 'if-match': `"${revision_id}"` },
    body: { title: 'Same', content: 'Another text.' },
  });
  await still.ask('POST', `/v1/articles/${id}/publish`, {
    token: human.token,
    key: true,
    body: {},
  });
  await catchUp(still, id);
  assert.deepEqual(await keptImage(still, id), {
    ...first,
    revision_id: revised.body.revision_id,
  });
});

test('an agent is drawn with its owner, who is told apart from a person', async () => {
  const owner = await still.register();
  const agent = await createAgent(still, owner);
  const { id } = await still.published(agent, { title: 'Of an agent' });
  const { id: other } = await still.published(owner, { title: 'Of an agent' });
  const [one, two] = [await askImage(still, id), await askImage(still, other)];
  assert.equal(one.status, 200);
  assert.equal(one.bytes.equals(two.bytes), false);
});

test('an unlisted article has an image when somebody asks, and asks to be indexed nowhere', async () => {
  const human = await still.register();
  const { id } = await still.published(human, { visibility: 'unlisted' });
  await catchUp(still, id);
  assert.equal(await keptImage(still, id), undefined);
  const { status, headers } = await askImage(still, id);
  assert.deepEqual([status, headers.get('x-robots-tag')], [200, 'noindex']);
  await catchUp(still, id);
  assert.ok(await keptImage(still, id), 'a true image stays');
  await still.ask('PATCH', `/v1/principals/${human.id}`, {
    token: human.token,
    body: { display_name: 'Renamed' },
  });
  await catchUp(still, id);
  assert.equal(await keptImage(still, id), undefined);
});

interface Change {
  readonly what: string;
  readonly status: number;
  readonly make: (human: Human, id: string) => Promise<unknown>;
}

async function moderate(id: string, action: 'hide' | 'remove' | 'de-index'): Promise<void> {
  const input = { target_type: 'article', target_id: id, action } as const;
  await act(still, await aModerator(still), input);
}

function patch(visibility: string) {
  return ({ token }: Human, id: string) =>
    still.ask('PATCH', `/v1/articles/${id}`, { token, body: { visibility } });
}

const changes: readonly Change[] = [
  { what: 'private', status: 404, make: patch('private') },
  { what: 'hidden', status: 404, make: (_human, id) => moderate(id, 'hide') },
  { what: 'removed', status: 410, make: (_human, id) => moderate(id, 'remove') },
  { what: 'removed legally', status: 451, make: (_human, id) => removeLegally(still, id) },
  {
    what: 'deleted',
    status: 410,
    make: ({ token }, id) => still.ask('DELETE', `/v1/articles/${id}`, { token }),
  },
  {
    what: 'erased',
    status: 410,
    make: ({ token }, id) =>
      still.ask('POST', `/v1/articles/${id}/erase`, { token, body: { confirm: 'erase' } }),
  },
];

for (const { what, status, make } of changes) {
  test(`${status} for what was ${what}: before the pipeline hears of it, and after`, async () => {
    const human = await still.register();
    const { id } = await still.published(human);
    const first = await askImage(still, id);
    assert.equal(first.status, 200);
    const etag = first.headers.get('etag') ?? '';
    await make(human, id);
    assert.equal((await askImage(still, id)).status, status);
    const asked = { headers: { 'if-none-match': etag } };
    assert.equal((await askImage(still, id, asked)).status, status);
    await catchUp(still, id);
    assert.equal((await askImage(still, id)).status, status);
    assert.equal(await keptImage(still, id), undefined);
  });
}

test('200 for what was de-indexed, which no search engine is to keep', async () => {
  const human = await still.register();
  const { id } = await still.published(human);
  await moderate(id, 'de-index');
  const { status, headers } = await askImage(still, id);
  assert.deepEqual([status, headers.get('x-robots-tag')], [200, 'noindex']);
});

test('404 not-found: drafts, private articles, ids of nothing, and other names', async () => {
  const human = await still.register();
  const draft = await still.draft(human);
  const own = await still.published(human, { visibility: 'private' });
  const { id } = await still.published(human);
  for (const name of [
    `${draft.id}.png`,
    `${own.id}.png`,
    `${human.id}.png`,
    'x.png',
    '.png',
    id,
    `${id}.jpg`,
  ])
    assertProblem(await still.ask('GET', `/og/${name}`), 'not-found');
});

test('503 unavailable when too many images are to be drawn, with the time to ask again', async () => {
  const human = await still.register();
  const { id } = await still.published(human, { title: 'Crowded' });
  const { drawing } = still.services;
  const card = { language: 'en', kind: 'human', username: 'x', displayName: null } as const;
  const others = Array.from({ length: 40 }, (_, place) =>
    drawing.draw({
      ...card,
      direction: 'ltr',
      title: `漢字 ${place} `.repeat(40),
      ownerUsername: null,
      disclosure: 'human_authored',
      host: 'x',
    }),
  );
  const response = await still.ask('GET', `/og/${id}.png`);
  assertProblem(response, 'unavailable');
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal(response.headers.get('cache-control')?.includes('public') ?? false, false);
  await Promise.all(others);
  assert.equal((await askImage(still, id)).status, 200);
});

test('bytes that the store has lost are drawn again', async () => {
  const human = await still.register();
  const { id } = await still.published(human);
  const { bytes } = await askImage(still, id);
  const kept = await keptImage(still, id);
  await still.services.store.delete(kept?.name ?? '');
  const again = await askImage(still, id);
  assert.deepEqual([again.status, again.bytes.equals(bytes)], [200, true]);
});
