// Publishing by the form, without scripts: details, faults, sent twice, in races, somebody else's.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { createAgent } from '#test/agents';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { startLimitedServer } from '#test/limits-file';
import { pngOf } from '#test/media-files';
import { metaOf } from '#test/page';
import { openBrowser } from '#test/web-session';
import { openWriter } from '#test/writers';
import type { Writer } from '#test/writers';

let server: TestServer;
let writer: Writer;
before(async () => {
  server = await startServer();
  writer = await openWriter(server);
});
after(() => server[Symbol.asyncDispose]());

const placeOf = (id: string) => `/write/${id}/publish`;

/** The values that the form of the page has. */
async function fieldsOf(id: string, of: Writer = writer): Promise<Record<string, string>> {
  const { all } = await of.page(placeOf(id));
  const inputs = all('input').filter(
    ({ attributes }) => attributes['type'] !== 'radio' || 'checked' in attributes,
  );
  const [language] = all('option').filter(({ attributes }) => 'selected' in attributes);
  return {
    ...Object.fromEntries(
      inputs.map(({ attributes }) => [attributes['name'], attributes['value'] ?? '']),
    ),
    ...Object.fromEntries(
      all('textarea').map(({ attributes, text }) => [attributes['name'], text]),
    ),
    language: language?.attributes['value'] ?? '',
  };
}

const publishes = (id: string, fields: Record<string, string>, of: Writer = writer) =>
  of.send(`${placeOf(id)}?form=publish`, { act: 'publish', ...fields });

const revisionsOf = async (id: string) =>
  (await writer.ask('GET', `/-/v1/articles/${id}/revisions`)).body.items.length;

/** How many requests of the writer with a key had an effect. */
const keysOf = async (id: string) => {
  const rows = await server.db.rows(sql<{ readonly count: number }>`
    select count(*)::integer as count
    from idempotency_keys
    where bucket = ${bucketOf(id)} and principal_id = ${writer.id}`);
  return rows[0]?.count ?? 0;
};

test('the page shows what readers will see', async () => {
  const draft = await writer.draft({
    title: 'On moss',
    language: 'en',
    content: 'Moss grows *slowly* on stones in the north.',
    metadata: { topics: ['Deep Sea', 'moss'] },
  });
  const page = await writer.page(placeOf(draft.id));
  assert.equal(page.status, 200);
  for (const words of [
    'On moss',
    'Moss grows slowly on stones',
    '8 words, 1 minute to read',
    draft.url,
  ])
    assert.ok(page.text.includes(words), words);
  const fields = await fieldsOf(draft.id);
  assert.equal(fields['topic-1'], 'Deep Sea');
  assert.equal(fields['topic-2'], 'moss');
  assert.equal(fields['visibility'], 'public');
  assert.equal(fields['authorship_disclosure'], 'human_authored');
  assert.equal(fields['revision'], draft.revision_id);
  const [language] = page.all('option').filter(({ attributes }) => 'selected' in attributes);
  assert.equal(language?.text, 'English');
});

test('details and publication in one press, and the article’s page afterwards', async () => {
  const { id } = await writer.draft();
  const image = await writer.image(pngOf(9, 9));
  const sent = await publishes(id, {
    ...(await fieldsOf(id)),
    'topic-1': 'Rivers',
    'topic-3': 'Stones & Sand',
    description: 'About water,\nand what it does.',
    visibility: 'unlisted',
    authorship_disclosure: 'ai_assisted',
    language: 'de',
    other_language: '',
    canonical_url: 'https://example.org/first',
    featured_media_id: image,
  });
  assert.equal(sent.status, 303, sent.text);
  const article = (await server.ask('GET', `/v1/articles/${id}`)).body;
  assert.equal(
    sent.headers.get('location'),
    `${new URL(article.url).pathname}?done=published#done`,
  );
  assert.equal(article.status, 'published');
  assert.equal(article.visibility, 'unlisted');
  assert.equal(article.authorship_disclosure, 'ai_assisted');
  assert.equal(article.language, 'de');
  assert.equal(article.canonical_url, 'https://example.org/first');
  assert.equal(article.featured_media_id, image);
  assert.deepEqual(article.topics, ['rivers', 'stones-sand']);
  assert.equal(article.metadata.description, 'About water,\nand what it does.');
  const page = await writer.page(new URL(article.url).pathname);
  for (const name of ['description', 'og:description', 'twitter:description'])
    assert.equal(metaOf(page, name), 'About water, and what it does.', name);
});

test('markup in a description is text, in the head of the page too', async () => {
  const description = '"><script>alert(1)</script><b>x';
  const plain = await writer.published();
  const { url } = await writer.published({ metadata: { description } });
  const page = await writer.page(new URL(url).pathname);
  assert.equal(metaOf(page, 'description'), description);
  const scripts = (await writer.page(new URL(plain.url).pathname)).all('script').length;
  assert.equal(page.all('script').length, scripts);
  assert.equal(page.all('b').length, 0);
});

test('saving publishes nothing, and keeps what else is in the metadata', async () => {
  const { id } = await writer.draft({ metadata: { topics: ['old'], mood: { of: 'day' } } });
  const fields = { ...(await fieldsOf(id)), 'topic-1': 'new', description: 'Short.', act: 'save' };
  const sent = await publishes(id, fields);
  assert.equal(sent.headers.get('location'), `${placeOf(id)}?said=saved#said`);
  const article = await writer.newest(id);
  assert.equal(article.status, 'draft');
  assert.deepEqual(article.metadata, {
    topics: ['new'],
    mood: { of: 'day' },
    description: 'Short.',
  });
  assert.match((await writer.page(`${placeOf(id)}?said=saved`)).text, /The details are saved/);
  const again = { ...(await fieldsOf(id)), act: 'save' };
  assert.equal((await publishes(id, again)).status, 303);
  assert.equal(await revisionsOf(id), 2, 'nothing changed, so there is no new revision');
  await publishes(id, { ...again, 'topic-1': '', description: '' });
  assert.deepEqual((await writer.newest(id)).metadata, { mood: { of: 'day' } });
});

test('a form that is refused comes back with what was typed and the fault beside its field', async () => {
  const { id } = await writer.draft();
  const typed = { ...(await fieldsOf(id)), 'topic-2': '!', description: 'Kept words.' };
  const topic = await publishes(id, typed);
  assert.equal(topic.status, 422);
  assert.match(topic.text, /id="topic-2-fault"[^>]*>This must have 2 to 50 letters or digits/);
  assert.match(topic.text, /Kept words\./);
  const address = await publishes(id, { ...(await fieldsOf(id)), canonical_url: 'nowhere' });
  assert.equal(address.status, 422);
  assert.match(address.text, /value="nowhere"/);
  assert.match(address.text, /id="canonical_url-fault"[^>]*>This must be an absolute URI/);
  const language = await publishes(id, { ...(await fieldsOf(id)), other_language: 'no such' });
  assert.match(language.text, /id="other_language-fault"[^>]*>This must be/);
  for (const name of ['visibility', 'authorship_disclosure']) {
    const { status, text } = await publishes(id, { ...(await fieldsOf(id)), [name]: 'x' });
    assert.equal(status, 422);
    assert.match(text, new RegExp(`id="${name}-fault"[^>]*>This must be one of`));
  }
  const foreign = await publishes(id, { ...(await fieldsOf(id)), featured_media_id: id });
  assert.match(foreign.text, /id="featured_media_id-fault"[^>]*>This does not name a ready image/);
  const long = await publishes(id, { ...(await fieldsOf(id)), description: 'x'.repeat(301) });
  assert.match(long.text, /id="description-fault"[^>]*>This must have at most 300/);
  assert.equal((await writer.newest(id)).status, 'draft');
});

test('sent twice, one after the other and at once: one revision and one publication', async () => {
  for (const sending of ['after', 'at once']) {
    const { id } = await writer.draft();
    const fields = { ...(await fieldsOf(id)), 'topic-1': 'twice' };
    const earlier = await keysOf(id);
    const twice =
      sending === 'after'
        ? [await publishes(id, fields), await publishes(id, fields)]
        : await Promise.all([publishes(id, fields), publishes(id, fields)]);
    assert.deepEqual(
      twice.map(({ status }) => status),
      [303, 303],
      twice.map(({ text }) => text).join('\n'),
    );
    assert.equal(twice[0]?.headers.get('location'), twice[1]?.headers.get('location'));
    assert.equal(await revisionsOf(id), 2);
    assert.equal(await keysOf(id), earlier + 2, 'one for the revision, one to publish it');
  }
});

test('a text that changed meanwhile is shown again before it is published', async () => {
  const { id } = await writer.draft();
  const fields = { ...(await fieldsOf(id)), 'topic-1': 'late' };
  await writer.revise(id, { content: 'Another text.' });
  const sent = await publishes(id, fields);
  assert.equal(sent.headers.get('location'), `${placeOf(id)}?said=changed#said`);
  const page = await writer.page(`${placeOf(id)}?said=changed`);
  assert.match(page.text, /The text has changed since you opened this page/);
  assert.match(page.text, /Another text\./);
  const article = await writer.newest(id);
  assert.equal(article.status, 'draft');
  assert.equal(article.content, 'Another text.');
  assert.deepEqual(article.topics, ['late'], 'what was typed is saved');
  assert.equal((await publishes(id, await fieldsOf(id))).status, 303);
  assert.equal((await writer.newest(id)).status, 'published');
});

test('a revision named that is not one of the article counts as not seen', async () => {
  const [one, other] = [await writer.draft(), await writer.draft()];
  for (const revision of [other.revision_id, '', 'x']) {
    const sent = await publishes(one.id, { ...(await fieldsOf(one.id)), revision });
    assert.match(sent.headers.get('location') ?? '', /said=changed/, revision);
  }
});

test('two pages publish at the same time: both go on to the article', async () => {
  const { id } = await writer.draft();
  const [one, other] = [await fieldsOf(id), await fieldsOf(id)];
  const sent = await Promise.all([
    publishes(id, { ...one, 'topic-1': 'first' }),
    publishes(id, { ...other, 'topic-1': 'second' }),
  ]);
  assert.deepEqual(
    sent.map(({ status }) => status),
    [303, 303],
    sent.map(({ text }) => text).join('\n'),
  );
  assert.equal((await writer.newest(id)).status, 'published');
});

test('an article with newer changes: what readers see now, and a link to what changes', async () => {
  const { id, revision_id: first } = await writer.published();
  assert.match((await writer.page(placeOf(id))).text, /Exactly this text/);
  const second = await writer.revise(id, { content: 'Newer.' });
  const page = await writer.page(placeOf(id));
  const links = page.all('a').map(({ attributes }) => attributes['href']);
  assert.ok(links.includes(`/write/${id}/history?from=${first}&to=${second}`), links.join('\n'));
  assert.equal((await publishes(id, await fieldsOf(id))).status, 303);
  assert.equal((await server.ask('GET', `/v1/articles/${id}`)).body.content, 'Newer.');
});

test('private: the preview instead of a page that no one can read', async () => {
  const { id } = await writer.draft();
  const sent = await publishes(id, { ...(await fieldsOf(id)), visibility: 'private' });
  assert.equal(sent.headers.get('location'), `/write/${id}/preview?said=private#said`);
  assert.equal((await server.ask('GET', `/v1/articles/${id}`)).status, 404);
});

test('404 for somebody else’s article, public or not, and for an agent’s; 410 for a removed one', async () => {
  const other = await openWriter(server);
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const [draft, published] = [await writer.draft(), await writer.published()];
  const [removed, ofAgent] = [await writer.published(), await server.published(agent)];
  await writer.ask('DELETE', `/-/v1/articles/${removed.id}`);
  for (const { id } of [draft, published, ofAgent]) {
    assert.equal((await other.page(placeOf(id))).status, 404);
    const sent = await publishes(id, { key: '0123456789', 'topic-1': 'mine' }, other);
    assert.equal(sent.status, 404);
  }
  assert.equal((await writer.page(placeOf(removed.id))).status, 410);
  assert.equal((await writer.page(placeOf('nothing'))).status, 404);
  const signedOut = await openBrowser(server).page(placeOf(draft.id));
  assert.match(signedOut.headers.get('location') ?? '', /^\/sign-in\?next=%2Fwrite%2F/);
});

test('an allowance that is used up: the details are saved, nothing is published, and it says so', async () => {
  await using limited = await startLimitedServer({
    quotas: { 'articles.publish': [1, 1, 1, 1] },
  });
  const person = await openWriter(limited);
  await person.published();
  const { id } = await person.draft();
  const fields = { ...(await fieldsOf(id, person)), 'topic-1': 'kept' };
  const sent = await publishes(id, fields, person);
  assert.equal(sent.status, 429);
  assert.match(sent.text, /The details are saved, but the article is not published\./);
  assert.match(sent.text, /value="kept"/);
  const article = await person.newest(id);
  assert.equal(article.status, 'draft');
  assert.deepEqual(article.topics, ['kept']);
});
