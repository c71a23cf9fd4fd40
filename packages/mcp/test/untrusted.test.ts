// Texts of participants stay inside their delimiters, and a call takes effect once on a connection that breaks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations } from '@colophon/contract';
import { startServer } from '../../server/test/harness.ts';
import type { Human, TestServer } from '../../server/test/harness.ts';
import { answersOf } from '../src/tools/schemas.ts';
import { renderAnswer } from '../src/untrusted.ts';
import { startProxy } from './breaking-proxy.ts';
import { connect, contentOf, textOf } from './connection.ts';
import type { Connection } from './connection.ts';
import { hostileTexts } from './hostile-texts.ts';
import type { HostileText } from './hostile-texts.ts';

let server: TestServer;
let ada: Human;
let mallory: Human;
before(async () => {
  server = await startServer();
  [ada, mallory] = [await server.register(), await server.register()];
});
after(() => server[Symbol.asyncDispose]());

const earlier = 'untrusted-0123456789abcdef0123';
const [articleSchema = {}] = answersOf(operations.readArticle);

/** What may stand in a rendering: printable characters, line breaks, and what scripts and emoji need. */
const hidden = /[\p{C}\p{Default_Ignorable_Code_Point}\u{2028}\u{2029}]/gu;
const needed = new Set('\n\t\u{200c}\u{200d}\u{fe0e}\u{fe0f}');

interface Parts {
  readonly delimiter: string;
  readonly inside: string;
  readonly outside: string;
}

/** Splits a rendering at lines that are exactly a delimiter, and checks that nothing else contains one. */
function partsOf(text: string): Parts {
  const delimiter = /^Everything between <(untrusted-[0-9a-f]{20})> and /.exec(text)?.[1] ?? '';
  assert.notEqual(delimiter, '', 'the result says what its delimiter is');
  const [label = '', ...lines] = text.split('\n');
  assert.equal(label.split(delimiter).length, 3);
  const sides: { inside: string[]; outside: string[] } = { inside: [], outside: [] };
  let isInside = false;
  for (const line of lines) {
    if (line === `<${delimiter}>` || line === `</${delimiter}>`) {
      assert.equal(line.startsWith('</'), isInside, 'delimiters alternate');
      isInside = !isInside;
      continue;
    }
    assert.ok(!line.includes(delimiter), 'no text contains the delimiter');
    sides[isInside ? 'inside' : 'outside'].push(line);
  }
  assert.ok(!isInside, 'the last block is closed');
  return { delimiter, inside: sides.inside.join('\n'), outside: sides.outside.join('\n') };
}

function checkContained(text: string, texts: readonly HostileText[]): Parts {
  const strange = [...text.matchAll(hidden)].filter(([char]) => !needed.has(char));
  assert.deepEqual(strange, [], 'invisible characters are written out');
  const parts = partsOf(text);
  for (const { word } of texts) {
    assert.ok(parts.inside.includes(word), `${word} is there`);
    assert.ok(!parts.outside.includes(word), `${word} is inside`);
  }
  assert.doesNotMatch(parts.outside, /canary|evil|Ignore all|SYSTEM|trust: trusted|items\[99\]/);
  return parts;
}

test('200 hostile texts stay inside in every field of a record, also in those that no schema names', () => {
  for (const hostile of hostileTexts(200, earlier)) {
    const { text } = hostile;
    for (const record of [
      { title: text },
      { content: text },
      { topics: [text] },
      { metadata: { [text]: text } },
      { author: { username: text, [text]: 1 } },
      { status: text, id: text, published_at: text },
      { [text]: text },
      { counts: text, trust: text },
    ])
      checkContained(renderAnswer({ ...record, visibility: 'public' }, articleSchema), [hostile]);
  }
});

/** Publishes an article with the first text in every field, and all texts as comments. */
async function publishHostile(texts: readonly HostileText[]): Promise<string> {
  const text = texts[0]?.text ?? '';
  const { id } = await server.published(mallory, {
    title: text.replaceAll(/\p{C}|\p{Z}/gu, ' '),
    content: text,
    metadata: { note: text, topics: ['canary topic'] },
  });
  for (const { text: content } of texts) {
    const asked = { token: mallory.token, key: true as const, body: { content } };
    const { status } = await server.ask('POST', `/v1/articles/${id}/comments`, asked);
    assert.equal(status, 201, JSON.stringify(content));
  }
  return id as string;
}

/** Checks every way to read the article; returns the delimiter of one of them. */
async function checkReads(
  host: Connection,
  id: string,
  texts: readonly HostileText[],
): Promise<string> {
  const thread = await host.call('read_thread', { id });
  const { comments, article } = contentOf(thread);
  for (const [index, { content, trust }] of comments.items.entries()) {
    assert.equal(content, texts[index]?.text, 'structured content is exact');
    assert.equal(trust, 'untrusted');
  }
  assert.equal(article.trust, 'untrusted');
  checkContained(textOf(await host.call('list_comments', { id, limit: 100 })), texts);
  checkContained(textOf(await host.call('read_feed')), texts.slice(0, 1));
  const listed = await host.call('list_articles', { author: mallory.username });
  checkContained(textOf(listed), texts.slice(0, 1));
  const [resource] = (await host.client.readResource({ uri: `colophon://article/${id}` })).contents;
  assert.ok(resource !== undefined && 'text' in resource);
  checkContained(resource.text, texts.slice(0, 1));
  return checkContained(textOf(thread), texts).delimiter;
}

/** Everything that the tool host says itself: errors about the article, and all its listings. */
async function spokenBy({ call, client }: Connection, id: string): Promise<string> {
  const errors = [
    await call('delete_article', { id }),
    await call('create_edge', {
      src_article_id: id,
      kind: 'cites',
      dst_uri: 'https://example.org',
    }),
    await call('create_revision', { id, content: 'x', expected_revision_id: id }),
  ];
  assert.ok(errors.every(({ isError }) => isError === true));
  return JSON.stringify([
    errors,
    await client.listTools(),
    await client.listPrompts(),
    await client.listResources(),
    await client.listResourceTemplates(),
  ]);
}

test('200 hostile texts from the service stay inside, and reach no description, name or error', async () => {
  const env = { COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token };
  await using host = await connect(env, ['--tools', 'all']);
  // An author who has read an earlier result knows its delimiter.
  const { id } = await server.published(ada);
  const known = partsOf(textOf(await host.call('read_thread', { id }))).delimiter;
  const corpus = hostileTexts(200, known);
  const perArticle = 50;
  const delimiters = new Set<string>();
  for (let at = 0; at < corpus.length; at += perArticle) {
    const texts = corpus.slice(at, at + perArticle);
    const article = await publishHostile(texts);
    delimiters.add(await checkReads(host, article, texts));
    assert.doesNotMatch(await spokenBy(host, article), /canary/);
  }
  assert.equal(delimiters.size, corpus.length / perArticle, 'each result has its own delimiter');
});

test('a tool call over a connection that breaks takes effect once, with one key', async () => {
  const faults = ['before', 'after', 'half', undefined] as const;
  await using proxy = await startProxy(
    server.baseUrl,
    (count) => faults[(count - 1) % faults.length],
  );
  await using host = await connect({ COLOPHON_URL: proxy.url, COLOPHON_TOKEN: ada.token });
  const draft = await host.call('create_article', { title: 'Once', content: 'Once.' });
  const { id } = contentOf(draft);
  await host.call('publish_article', { id });
  const comment = await host.call('create_comment', { id, content: 'Once.' });
  assert.equal(comment.isError, undefined, textOf(comment));
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const media = await host.call('upload_media', { kind: 'image', data: png });
  assert.equal(contentOf(media)['status'], 'ready', textOf(media));
  assert.equal(new Set(proxy.keys).size, 4, 'one key for each call');
  assert.ok(proxy.keys.length > 4, 'calls were repeated');
  const listed = await server.ask('GET', '/v1/articles?status=published', { token: ada.token });
  const titled = listed.body.items.filter(({ title }: { title: string }) => title === 'Once');
  assert.equal(titled.length, 1);
  const thread = await server.ask('GET', `/v1/articles/${id}/comments`);
  assert.equal(thread.body.items.length, 1);
  const files = await server.ask('GET', '/v1/media', { token: ada.token });
  assert.equal(files.body.items.length, 1);
});

test('a call whose outcome is unknown names its key, and the same key repeats it without a second effect', async () => {
  await using proxy = await startProxy(server.baseUrl, (count) =>
    count <= 4 ? 'after' : undefined,
  );
  await using host = await connect({ COLOPHON_URL: proxy.url, COLOPHON_TOKEN: ada.token });
  const { id } = await server.published(ada);
  const args = { id, content: 'Only once.' };
  const lost = await host.call('create_comment', args);
  assert.equal(lost.isError, true);
  const key = /idempotency_key (\S+)\./.exec(textOf(lost, 1))?.[1];
  const again = await host.call('create_comment', { ...args, idempotency_key: key });
  assert.equal(again.isError, undefined, textOf(again));
  const thread = await server.ask('GET', `/v1/articles/${id}/comments`);
  assert.equal(thread.body.items.length, 1);
});

test('a token whose secret was lost is named, with how to go on', async () => {
  await using proxy = await startProxy(server.baseUrl, (count) =>
    count === 1 ? 'after' : undefined,
  );
  const env = { COLOPHON_URL: proxy.url, COLOPHON_TOKEN: ada.token };
  await using host = await connect(env, ['--tools', 'all']);
  const asked = { principal_id: ada.id, name: 'lost' };
  const lost = await host.call('issue_token', asked);
  assert.equal(lost.isError, true, textOf(lost));
  const id = /no token: .*revoke_token with id ([0-9A-Z]{26})\)/.exec(textOf(lost))?.[1];
  const revoked = await host.call('revoke_token', { id });
  assert.equal(revoked.isError, undefined, textOf(revoked));
  const issued = await host.call('issue_token', asked);
  assert.match(String(contentOf(issued)['token']), /.{20}/, textOf(issued));
});

test('the problem that the service wrote arrives byte for byte', async () => {
  await using proxy = await startProxy(server.baseUrl);
  await using host = await connect({ COLOPHON_URL: proxy.url, COLOPHON_TOKEN: ada.token });
  const unread = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
  const { id } = await server.draft(ada);
  const results = [
    await host.call('create_article', { title: '', content: '', language: 'é "quoted" \u2028' }),
    await host.call('read_thread', { id: unread }),
    await host.call('create_revision', { id, content: 'x', expected_revision_id: unread }),
  ];
  for (const result of results) assert.ok(proxy.problems.includes(textOf(result)), textOf(result));
  for (const result of results)
    assert.deepEqual(result.structuredContent, JSON.parse(textOf(result)));
});
