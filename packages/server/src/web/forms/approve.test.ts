// The drafts of the person's agents: listed, reviewed, and published in one press; by no one else, and only once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { scopes } from '@colophon/contract';
import { sql } from '#database';
import { authenticator } from '#http';
import type { Invoke } from '#http';
import { bucketOf, newId } from '#lib/id';
import { storeToken } from '#test/accounts';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { openWriter } from '#test/writers';
import type { Writer } from '#test/writers';
import type { PageContext, PageRequest } from '../context.ts';
import { approveForm } from './approve.ts';

let server: TestServer;
let owner: Writer;
let agent: Human;
before(async () => {
  server = await startServer();
  owner = await openWriter(server);
  agent = await owner.agent({ display_name: 'Scribe', model: 'A model', provider: 'A provider' });
});
after(() => server[Symbol.asyncDispose]());

const key = '0123456789abcdef';
/** What the page of a review shows besides the text, as its form sends it back. */
async function shownOn(id: string, of: Writer): Promise<string> {
  const fields = (await of.page(`/review/${id}`)).all('input');
  return fields.find(({ attributes }) => attributes['name'] === 'shown')?.attributes['value'] ?? '';
}

/** Sends the form of a page that shows the article as it is now. */
async function approves(id: string, revision: string, of: Writer = owner) {
  const shown = await shownOn(id, of);
  return of.send(`/review/${id}?form=approve`, { key, revision, shown });
}

async function revise(id: string, expected: string, members: object): Promise<string> {
  const headers = { 'if-match': `"${expected}"` };
  const path = `/v1/articles/${id}/revisions`;
  const asked = { token: agent.token, key: true, headers, body: members } as const;
  return (await server.ask('POST', path, asked)).body.revision_id;
}

interface Token {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly revoked: boolean;
}

/** The tokens that were issued for a publication. */
const tokensOf = (of: Human) =>
  server.db.rows(sql<Token>`
    select name, scopes, revoked_at is not null as revoked
    from tokens
    where bucket = ${bucketOf(of.id)} and principal_id = ${of.id} and name like '%publication%'`);

test('listed: drafts and unpublished changes of the person’s agents, in pages; nothing of others', async () => {
  const [person, other] = [await openWriter(server), await openWriter(server)];
  assert.match((await person.page('/articles/agents')).text, /nothing that waits for you/);
  const [first, second] = [await person.agent(), await person.agent()];
  await server.published(first, { title: 'Published' });
  await server.draft(await other.agent(), { title: 'Of another' });
  await person.draft({ title: 'My own' });
  const changed = await server.published(second, { title: 'Changed' });
  const headers = { 'if-match': `"${changed.revision_id}"` };
  const path = `/v1/articles/${changed.id}/revisions`;
  const body = { title: 'Changed again' };
  await server.ask('POST', path, { token: second.token, key: true, headers, body });
  await server.draft(first, { title: 'Draft' });
  const removed = await server.draft(first, { title: 'Removed' });
  await person.ask('DELETE', `/-/v1/articles/${removed.id}`);
  const titles = async (place: string) => {
    const page = await person.page(place);
    const next = page.all('a').find(({ attributes }) => attributes['rel'] === 'next');
    return { titles: page.all('h2').map(({ text }) => text), next: next?.attributes['href'], page };
  };
  const shown = await titles('/articles/agents');
  assert.deepEqual(shown.titles, ['Draft', 'Changed again']);
  assert.match(shown.page.text, /Changes to a published article/);
  for (let at = 1; at <= 20; at += 1) await server.draft(second, { title: `More ${at}` });
  const newest = await titles('/articles/agents');
  assert.equal(newest.titles.length, 20);
  assert.deepEqual((await titles(newest.next ?? '')).titles, ['Draft', 'Changed again']);
});

test('reviewed: who wrote it with what, the text as readers see it, and no way to write in it', async () => {
  const { id } = await server.draft(agent, { title: 'A draft', content: 'Some *text*.' });
  const page = await owner.page(`/review/${id}`);
  assert.equal(page.status, 200);
  assert.match(page.text, /with <bdi>A model, A provider<\/bdi>/);
  assert.match(page.text, /<em>text<\/em>/);
  assert.match(page.text, /It will not be signed/);
  assert.equal(page.headers.get('cache-control'), 'private, no-store');
  const links = page.all('a').map(({ attributes }) => attributes['href'] ?? '');
  assert.deepEqual(
    links.filter((href) => href === `/write/${id}` || href.endsWith('/publish')),
    [],
  );
});

test('published in one press, by the agent, with a token that can only publish and is revoked', async () => {
  const draft = await server.draft(agent, { title: 'Approved' });
  for (let press = 1; press <= 2; press += 1) {
    const sent = await approves(draft.id, draft.revision_id);
    assert.equal(sent.status, 303, sent.text);
    const { pathname } = new URL(draft.url);
    assert.equal(sent.headers.get('location'), `${pathname}?done=published#done`);
  }
  const article = (await server.ask('GET', `/v1/articles/${draft.id}`)).body;
  assert.equal(article.status, 'published');
  assert.equal(article.author.id, agent.id);
  assert.equal(article.signature, null);
  const tokens = await tokensOf(agent);
  assert.equal(tokens.length, 1, 'the second press needed none');
  assert.deepEqual(tokens[0]?.scopes, ['articles:publish']);
  assert.equal(tokens[0]?.revoked, true);
  const events = await server.ask('GET', '/v1/events?type=token.issued', {
    token: await storeToken(server, agent.id, ['events:read']),
  });
  assert.ok(events.body.items.length > 0, 'the agent is told');
  assert.match((await owner.page(`/review/${draft.id}`)).text, /Readers see exactly this text/);
});

test('two presses at once publish once', async () => {
  const draft = await server.draft(agent);
  const sent = await Promise.all([
    approves(draft.id, draft.revision_id),
    approves(draft.id, draft.revision_id),
  ]);
  assert.deepEqual(
    sent.map(({ status }) => status),
    [303, 303],
  );
  const keys = await server.db.rows(sql<{ readonly key: string }>`
    select key from idempotency_keys
    where bucket = ${bucketOf(agent.id)} and key like ${`${key}.${draft.revision_id}`}`);
  assert.equal(keys.length, 1);
  const tokens = (await tokensOf(agent)).filter(({ name }) => name.includes(draft.id));
  assert.deepEqual(
    tokens.map(({ revoked }) => revoked),
    [true],
  );
});

test('a press that read the draft before the other one published issues no second token', async () => {
  const draft = await server.draft(agent);
  const callerOf = authenticator(server.db, server.services.config.deployment, () => undefined);
  const caller = await callerOf(await storeToken(server, owner.id, scopes));
  assert.ok(caller !== undefined);
  let other: ReturnType<typeof approves> | undefined;
  const invoke: Invoke = async (name, invocation) => {
    if (name === 'listTokens') {
      other ??= approves(draft.id, draft.revision_id);
      assert.equal((await other).status, 303);
    }
    return server.app.invoke(name, invocation);
  };
  const web = { invoke, site: server.services.config } as unknown as PageContext;
  const shown = await shownOn(draft.id, owner);
  const fields = new URLSearchParams({ revision: draft.revision_id, shown });
  const asked = { params: { id: draft.id } } as unknown as PageRequest;
  const place = await approveForm.send(web, { asked, fields, caller, key });
  assert.equal(place, `${new URL(draft.url).pathname}?done=published#done`);
  const tokens = (await tokensOf(agent)).filter(({ name }) => name.includes(draft.id));
  assert.equal(tokens.length, 1);
});

test('while an approval has a token, others issue none; after a server was killed, they wait for its end', async () => {
  const draft = await server.draft(agent);
  const name = `one publication of ${draft.id}, approved by the owner`;
  // As another server left it that is still publishing, or was killed.
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into tokens
        (bucket, id, principal_id, issuer_token_id, hash, name, prefix, scopes, created_at, expires_at)
      select bucket, ${newId(bucketOf(agent.id))}, principal_id, issuer_token_id, sha256(hash), ${name},
        prefix, scopes, now(), now() + interval '1 minute'
      from tokens
      where bucket = ${bucketOf(agent.id)} and principal_id = ${agent.id}
      limit 1`),
  );
  const named = async () => (await tokensOf(agent)).filter((one) => one.name === name);
  const shown = await shownOn(draft.id, owner);
  const tab = { key: 'of-another-tab', revision: draft.revision_id, shown };
  const sent = await Promise.all([
    approves(draft.id, draft.revision_id),
    owner.send(`/review/${draft.id}?form=approve`, tab),
  ]);
  for (const { status, text, headers } of sent) {
    assert.equal(status, 409);
    assert.match(text, /being sent already/);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  }
  assert.equal((await named()).length, 1);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update tokens set expires_at = now()
      where bucket = ${bucketOf(agent.id)} and principal_id = ${agent.id} and name = ${name}`),
  );
  assert.equal((await approves(draft.id, draft.revision_id)).status, 303);
  assert.equal((await owner.newest(draft.id)).status, 'published');
  assert.equal((await named()).length, 2);
});

test('changes to a published article: shown line by line, and published only as they were seen', async () => {
  const made = await server.published(agent, { content: 'One line.\nA second line of text.\n' });
  const seen = await revise(made.id, made.revision_id, {
    content: 'One line.\nA second line of words.\n',
  });
  const page = await owner.page(`/review/${made.id}`);
  assert.match(page.text, /What changes for readers/);
  assert.deepEqual(
    page.all('ins').map(({ text }) => text.trim()),
    ['A second line of words.'],
  );
  await revise(made.id, seen, { content: 'Not seen.\n' });
  const sent = await approves(made.id, seen);
  assert.equal(sent.headers.get('location'), `/review/${made.id}?said=changed#said`);
  assert.match(
    (await owner.page(`/review/${made.id}?said=changed`)).text,
    /Your agent has changed the article since/,
  );
  const article = (await server.ask('GET', `/v1/articles/${made.id}`)).body;
  assert.match(article.content, /A second line of text/);
});

test('404 for everybody but the owner; the author writes on other pages', async () => {
  const other = await openWriter(server);
  const [draft, own] = [await server.draft(agent), await owner.draft()];
  assert.equal((await other.page(`/review/${draft.id}`)).status, 404);
  assert.equal((await approves(draft.id, draft.revision_id, other)).status, 404);
  assert.equal((await owner.page(`/review/${own.id}`)).status, 404);
  assert.equal((await approves(own.id, own.revision_id)).status, 404);
  assert.equal((await server.ask('GET', `/v1/articles/${draft.id}`)).status, 404);
});

test('deleted by the owner, who comes back to the list of the agents', async () => {
  const { id } = await server.draft(agent);
  const page = await owner.page(`/write/${id}/remove`);
  assert.ok(page.all('input').some(({ attributes }) => attributes['value'] === 'agents'));
  const sent = await owner.send(`/write/${id}/remove?form=delete`, { key, list: 'agents' });
  assert.equal(sent.headers.get('location'), '/articles/agents?done=deleted#done');
  assert.match((await owner.page('/articles/agents?done=deleted')).text, /The article is deleted/);
});

test('a publication that is refused leaves a draft and no token', async () => {
  const person = await openWriter(server);
  const suspended = await person.agent();
  const draft = await server.draft(suspended);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update principals set status = 'suspended'
      where bucket = ${bucketOf(suspended.id)} and id = ${suspended.id}`),
  );
  const sent = await approves(draft.id, draft.revision_id, person);
  assert.equal(sent.status, 403);
  assert.match(sent.text, /suspended/);
  assert.ok((await tokensOf(suspended)).every(({ revoked }) => revoked));
  assert.equal((await person.newest(draft.id)).status, 'draft');
});

test('nothing is published where the agent changed what is shown beside the text', async () => {
  for (const members of [
    { visibility: 'public' },
    { authorship_disclosure: 'human_authored' },
    { canonical_url: 'https://example.org/elsewhere' },
    { language: 'fr' },
  ]) {
    const draft = await server.draft(agent, { title: 'Looked at', visibility: 'private' });
    const shown = await shownOn(draft.id, owner);
    const path = `/v1/articles/${draft.id}`;
    const patched = await server.ask('PATCH', path, { token: agent.token, body: members });
    assert.equal(patched.status, 200, JSON.stringify(patched.body));
    const revision = draft.revision_id;
    const sent = await owner.send(`/review/${draft.id}?form=approve`, { key, revision, shown });
    assert.equal(sent.headers.get('location'), `/review/${draft.id}?said=changed#said`);
    const { body } = await server.ask('GET', path, { token: agent.token });
    assert.equal(body.status, 'draft', JSON.stringify(members));
  }
});

test('409 conflict within the operation: a change between the check and the publication', async () => {
  const draft = await server.draft(agent, { title: 'In between', visibility: 'private' });
  const shown = await shownOn(draft.id, owner);
  const asked = { token: agent.token, body: { visibility: 'public' } };
  await server.ask('PATCH', `/v1/articles/${draft.id}`, asked);
  const callerOf = authenticator(server.db, server.services.config.deployment, () => undefined);
  const caller = await callerOf(agent.token);
  const publishing = server.app.invoke('publishArticle', {
    caller: caller ?? assert.fail(),
    params: { id: draft.id },
    body: {},
    shown,
    idempotencyKey: crypto.randomUUID(),
  });
  await assert.rejects(publishing, { problem: 'conflict' });
});
