// Tools against the real service, in both revisions of the protocol.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { operationList } from '@colophon/contract';
import { createClient, createSecretKey } from '@colophon/sdk';
import { freshName, startServer } from '../../server/test/harness.ts';
import type { Human, TestServer } from '../../server/test/harness.ts';
import { until } from '../../server/test/throw-away-database.ts';
import { connect, connectProgram, contentOf, revisions, textOf } from './connection.ts';
import type { Content } from './connection.ts';

let server: TestServer;
let ada: Human;
let folder: string;
before(async () => {
  server = await startServer();
  ada = await server.register();
  folder = await mkdtemp(join(tmpdir(), 'colophon-mcp-'));
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const envOf = (token?: string) => ({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: token });

/** An agent of Ada’s with a token of all its scopes. */
async function anAgent() {
  const owner = createClient({ baseUrl: server.baseUrl, token: ada.token });
  const { principal_id: id } = await owner.createAgent({ username: freshName() });
  const { token } = await owner.issueToken({ principal_id: id, name: 'all' });
  return { id, token: token ?? '' };
}

for (const revision of revisions) {
  test(`${revision}: an article from draft to answered comment`, async () => {
    const agent = await anAgent();
    const key = join(folder, `key-${revision}`);
    await writeFile(key, createSecretKey(), { mode: 0o600 });
    await using host = await connect(
      { ...envOf(agent.token), COLOPHON_KEY_FILE: key },
      [],
      revision,
    );
    assert.equal(host.client.getNegotiatedProtocolVersion(), revision);
    // From now on the client checks every answer against the schema of its tool.
    await host.client.listTools();
    const draft = await host.call('create_article', { title: 'On *proofs*', content: 'One.' });
    const { id, revision_id } = contentOf(draft);
    const revised = await host.call('create_revision', {
      id,
      content: 'One and two.',
      expected_revision_id: revision_id,
    });
    assert.equal(contentOf(revised)['unchanged'], false);
    const published = await host.call('publish_article', { id });
    assert.equal(contentOf(published)['signed'], true, textOf(published));
    let verified: Content = {};
    await until('the publication is in the log', async () => {
      const answer = await host.call('verify_article', { id });
      verified = contentOf(answer);
      assert.equal(verified['result'], 'valid', textOf(answer));
      return verified['log'] === 'included';
    });
    assert.equal(verified['logged'].index, verified['proof'].log.index);
    assert.ok(!verified['not_checked'].includes('log'));

    await using reader = await connect(envOf(ada.token), [], revision);
    await reader.client.listTools();
    const { id: unsigned } = await server.published(ada);
    const refused = textOf(await reader.call('verify_article', { id: unsigned }));
    // The verdict is a fact of the tool host, and stands outside the texts of participants.
    const [facts = ''] = refused.split(/^<untrusted-/m);
    assert.match(facts, /^reason: unsigned$/m);
    await reader.call('create_comment', { id, content: 'Is it so?', stance: 'asks' });
    const events = await host.call('list_events', { wait: 5 });
    const { items, comments } = contentOf(events);
    assert.equal(items.at(-1).type, 'comment.created');
    assert.equal(comments[0].content, 'Is it so?');
    const answer = await host.call('create_reply', { id: comments[0].id, content: 'It is.' });
    assert.equal(answer.isError, undefined, textOf(answer));
    const thread = await reader.call('read_thread', { id });
    const { article, comments: all } = contentOf(thread);
    assert.equal(article.content, 'One and two.');
    assert.equal(all.items.length, 2);
    const news = await reader.call('check_in');
    assert.equal(contentOf(news)['events'].items.at(-1).type, 'reply.created');
  });
}

test('the program over stdio answers in both revisions, and anonymously', async () => {
  for (const revision of revisions) {
    await using host = await connectProgram({ COLOPHON_URL: server.baseUrl }, [], { revision });
    const feed = await host.call('read_feed', { limit: 1 });
    assert.equal(feed.isError, undefined, textOf(feed));
    const refused = await host.call('check_in');
    assert.equal(contentOf(refused)['status'], 401);
  }
});

test('nineteen tools by default, one for each operation with --tools all, reads only with --read-only', async () => {
  await using tasks = await connect(envOf(ada.token));
  const listed = (await tasks.client.listTools()).tools;
  assert.equal(listed.length, 19);
  await using all = await connect(envOf(ada.token), ['--tools', 'all']);
  const names = (await all.client.listTools()).tools.map(({ name }) => name);
  for (const { name } of operationList)
    assert.ok(names.includes(name.replaceAll(/[A-Z]/g, (a) => `_${a.toLowerCase()}`)), name);
  for (const args of [['--read-only'], ['--read-only', '--tools', 'all']]) {
    await using reading = await connect(envOf(ada.token), args);
    const { tools } = await reading.client.listTools();
    assert.ok(tools.length > 5);
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint));
    const writes = operationList.filter(({ method }) => method !== 'GET');
    for (const { name } of writes) {
      const tool = name.replaceAll(/[A-Z]/g, (a) => `_${a.toLowerCase()}`);
      await assert.rejects(reading.call(tool, {}), /no such tool/, tool);
    }
  }
});

test('a problem is answered byte for byte, and a missing scope says how to get it', async () => {
  const token = await server.tokenWith(ada, ['articles:read', 'articles:write']);
  await using host = await connect(envOf(token));
  const draft = await server.draft(ada);
  const result = await host.call('publish_article', { id: draft.id });
  assert.equal(result.isError, true);
  const { body } = await server.ask('POST', `/v1/articles/${draft.id}/publish`, {
    token,
    key: true,
    body: {},
  });
  const { request_id, ...members } = JSON.parse(textOf(result)) as Content;
  assert.deepEqual(
    Object.keys(members),
    Object.keys(body).filter((name) => name !== 'request_id'),
  );
  assert.deepEqual({ ...members, request_id: body.request_id }, body);
  assert.deepEqual(result.structuredContent, JSON.parse(textOf(result)));
  assert.match(String(request_id), /^[\w.~-]{8,}$/);
  assert.match(textOf(result, 1), /articles:publish.*POST \/v1\/tokens.*COLOPHON_TOKEN/s);
});

test('arguments that the tool does not take are refused before a request', async () => {
  await using host = await connect(envOf(ada.token));
  const unknown = await host.call('search', { q: 'a', colour: 'red' });
  assert.match(textOf(unknown), /no argument "colour"/);
  const missing = await host.call('create_comment', { content: 'a' });
  assert.match(textOf(missing), /Missing: id/);
  const wrong = await host.call('create_article', { title: 5, content: '' });
  assert.equal(contentOf(wrong)['status'], 422);
  assert.equal(contentOf(wrong)['errors'].length, 2);
});

test('values of arguments that only the tool host reads are refused before anything happens', async () => {
  const agent = await anAgent();
  const key = join(folder, 'key-of-values');
  await writeFile(key, createSecretKey(), { mode: 0o600 });
  await using host = await connect({ ...envOf(agent.token), COLOPHON_KEY_FILE: key });
  const draft = await host.call('create_article', { title: 'Values', content: '1' });
  const { id } = contentOf(draft);
  for (const [name, args, said] of [
    ['publish_article', { sign: 'true' }, /^sign must be true or false, without quotes/],
    ['publish_article', { sign: null }, /^sign must be true or false/],
    ['read_thread', { from_character: -1 }, /^from_character must be at least 0/],
    ['read_thread', { from_character: 'abc' }, /^from_character must be a whole number/],
    ['read_thread', { from_character: 1.5 }, /^from_character must be a whole number/],
    ['read_thread', { comments_cursor: 5 }, /^comments_cursor must be a string/],
    ['read_thread', { view: 'newest' }, /^view must be "latest"/],
  ] as const) {
    const refused = await host.call(name, { id, ...args });
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), said);
  }
  const read = await host.call('read_thread', { id, view: 'latest' });
  assert.equal(contentOf(read)['article'].status, 'draft');
  const published = await host.call('publish_article', { id, sign: true });
  assert.equal(contentOf(published)['signed'], true, textOf(published));
});

test('a trial registers no key; two publications at once that register it both succeed', async () => {
  const agent = await anAgent();
  const client = createClient({ baseUrl: server.baseUrl, token: agent.token });
  const keys = async () => (await client.listKeys({ id: agent.id })).items.length;
  const key = join(folder, 'key-of-trials');
  await writeFile(key, createSecretKey(), { mode: 0o600 });
  await using host = await connect({ ...envOf(agent.token), COLOPHON_KEY_FILE: key });
  const drafts = ['One', 'Two'].map((title) => client.createArticle({ title, content: '1' }));
  const ids = (await Promise.all(drafts)).map(({ id }) => id);
  const [id] = ids;
  for (const dry_run of [true, 'true']) {
    const trial = await host.call('publish_article', { id, sign: true, dry_run });
    assert.deepEqual([contentOf(trial)['dry_run'], await keys()], [true, 0], textOf(trial));
  }
  const published = await Promise.all(ids.map((one) => host.call('publish_article', { id: one })));
  for (const one of published) assert.equal(contentOf(one)['signed'], true, textOf(one));
  assert.equal(await keys(), 1);
  const again = await host.call('publish_article', { id, dry_run: true });
  assert.equal(contentOf(again)['signed'], true, textOf(again));
});

test('files are uploaded from base64, and by path only below the allowed folder', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await writeFile(join(folder, 'dot.png'), png);
  await writeFile(`${folder}-outside.png`, png);
  await symlink(`${folder}-outside.png`, join(folder, 'link.png'));
  await using host = await connect({ ...envOf(ada.token), COLOPHON_UPLOAD_DIR: folder });
  const base64 = png.toString('base64');
  const lines = base64.replaceAll(/.{76}/g, '$&\r\n');
  for (const source of [{ data: base64 }, { data: `${lines}\n` }, { path: 'dot.png' }]) {
    const result = await host.call('upload_media', { kind: 'image', alt_text: 'A dot', ...source });
    assert.equal(contentOf(result)['status'], 'ready', textOf(result));
  }
  for (const path of [
    'link.png',
    `../${folder.split('/').at(-1)}-outside.png`,
    '/etc/hostname',
    '.',
    'none',
  ]) {
    const result = await host.call('upload_media', { kind: 'image', path });
    assert.match(textOf(result), /below the folder/, path);
  }
  await mkdir(join(folder, 'inner'));
  const none = await host.call('upload_media', { kind: 'image', path: 'inner' });
  assert.match(textOf(none), /must name a file/);
  const wrong = await host.call('upload_media', { kind: 'image', path: 5 });
  assert.match(textOf(wrong), /path must be a string/);
  const removed = join(folder, 'inner');
  await using orphan = await connect({ ...envOf(ada.token), COLOPHON_UPLOAD_DIR: removed });
  await rm(removed, { recursive: true });
  const missing = await orphan.call('upload_media', { kind: 'image', path: 'dot.png' });
  assert.match(textOf(missing), /COLOPHON_UPLOAD_DIR names is missing/);
  await using closed = await connect(envOf(ada.token));
  assert.match(
    textOf(await closed.call('upload_media', { kind: 'image', path: 'dot.png' })),
    /COLOPHON_UPLOAD_DIR/,
  );
  await rm(`${folder}-outside.png`);
});

test('a file that is answered is content of its type', async () => {
  await using host = await connect(envOf(ada.token), ['--tools', 'all']);
  const data =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const uploaded = await host.call('upload_media', { kind: 'image', data });
  const { id } = contentOf(uploaded);
  const { content } = await host.call('read_media_content', { id });
  assert.deepEqual(content, [{ type: 'image', data, mimeType: 'image/png' }]);
  const removed = await host.call('delete_media', { id });
  assert.equal(textOf(removed), 'Done.');
});
