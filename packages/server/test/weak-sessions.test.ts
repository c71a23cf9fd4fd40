// A session with few scopes sees on no page what operations tell only with others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ordinaryScopes } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { storeAgent, storeToken } from './accounts.ts';
import { storeAction } from './appeals.ts';
import { startServer } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { ownPages } from './own-pages.ts';
import { openBrowser } from './web-session.ts';

let server: TestServer;
let human: Human;
/** Addresses of pages about what the account has. */
const own: string[] = ['/'];

/** What only the account sees: the text, and the scopes that an operation needs to tell it. */
const secrets: readonly (readonly [string, readonly Scope[]])[] = [
  ['Title of a draft', ['articles:read']],
  ['Title of a private article', ['articles:read']],
  ['Draft of an agent', ['articles:read']],
  ['Comment of another', ['events:read']],
  ['Name of a token', []],
  ['Words of the moderator.', ['events:read']],
];

before(async () => {
  server = await startServer();
  human = await server.register();
  const agent = await storeAgent(server, human);
  const drafts = [
    await server.draft(human, { title: 'Title of a draft' }),
    await server.published(human, { title: 'Title of a private article', visibility: 'private' }),
    await server.draft(agent, { title: 'Draft of an agent' }),
  ];
  const other = await server.register();
  const { id } = await server.published(human, { title: 'Seen by all', visibility: 'unlisted' });
  const asked = { token: other.token, key: true, body: { content: 'Comment of another' } } as const;
  assert.equal((await server.ask('POST', `/v1/articles/${id}/comments`, asked)).status, 201);
  await server.tokenWith(human, ['articles:read'], { name: 'Name of a token' });
  const decision = await storeAction(server, {
    targetId: id,
    authorId: human.id,
    moderatorId: other.id,
  });
  own.push(`/decisions/${decision.id}`, `/settings/agents/${agent.username}`);
  for (const one of drafts)
    own.push(
      `/write/${one.id}`,
      `/write/${one.id}/history`,
      `/write/${one.id}/publish`,
      `/review/${one.id}`,
    );
  own.push(...Object.values(ownPages));
});
after(() => server[Symbol.asyncDispose]());

/** Returns the texts that each page shows to a session of a link of a token with these scopes. */
async function shownTo(scopes: readonly Scope[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const token = await storeToken(server, human.id, ['profile:write', ...scopes]);
  const made = await server.ask('POST', '/v1/web-links', { token, body: {} });
  const browser = openBrowser(server);
  const secret = new URL(made.body.url).hash.slice(1);
  assert.equal((await browser.ask('POST', '/-/link', { body: { secret } })).status, 200);
  const shown = new Map<string, readonly string[]>();
  for (const path of own) {
    const { status, text } = await browser.page(path);
    assert.ok(status < 500, `${status} ${path}`);
    const found = secrets.map(([one]) => one).filter((one) => text.includes(one));
    if (found.length > 0) shown.set(path, found);
  }
  return shown;
}

test('with every scope, pages show all of it', async () => {
  const shown = await shownTo(ordinaryScopes);
  assert.deepEqual(
    new Set([...shown.values()].flat()),
    new Set(secrets.map(([text]) => text)),
    JSON.stringify([...shown]),
  );
});

for (const scopes of [
  [],
  ['articles:read'],
  ['agents:read'],
  ['events:read'],
  ['comments:read'],
  ['articles:write', 'articles:publish', 'comments:write', 'media:write', 'agents:manage'],
] as const satisfies readonly (readonly Scope[])[]) {
  test(`with ${['profile:write', ...scopes].join(' ')}, pages show only what these scopes tell`, async () => {
    const untold = secrets.filter(([, needed]) =>
      needed.some((one) => !scopes.some((has) => has === one)),
    );
    const hidden = new Set(untold.map(([text]) => text));
    for (const [path, texts] of await shownTo(scopes))
      assert.deepEqual(
        texts.filter((text) => hidden.has(text)),
        [],
        path,
      );
  });
}

test('a form needs the scope of its operation, and the refusal says what to sign in with', async () => {
  const token = await storeToken(server, human.id, ['profile:write']);
  const made = await server.ask('POST', '/v1/web-links', { token, body: {} });
  const browser = openBrowser(server);
  await browser.ask('POST', '/-/link', { body: { secret: new URL(made.body.url).hash.slice(1) } });
  const read = await browser.sendForm('/notifications?form=read', `event_id=${human.id}`);
  assert.equal(read.status, 403);
  for (const path of ['/notifications', '/articles', '/settings/agents']) {
    const { status, text } = await browser.page(path);
    assert.equal(status, 403, path);
    assert.match(text, /sign in with a passkey, or with a link of a token that has it/, path);
    assert.doesNotMatch(text, /Use a token that has it/, path);
  }
});

test('a page opens with the scopes of what it is for, and leaves out what needs others', async () => {
  const scopes = ['articles:read', 'articles:write', 'articles:publish', 'comments:read'] as const;
  const token = await storeToken(server, human.id, ['profile:write', ...scopes]);
  const made = await server.ask('POST', '/v1/web-links', { token, body: {} });
  const browser = openBrowser(server);
  await browser.ask('POST', '/-/link', { body: { secret: new URL(made.body.url).hash.slice(1) } });
  const draft = await server.draft(human, { title: 'To be published' });
  for (const path of [
    `/write/${draft.id}/publish`,
    '/settings/tokens',
    '/settings/export',
    '/settings/close',
  ])
    assert.equal((await browser.page(path)).status, 200, path);
  const { text } = await browser.page('/settings/close');
  assert.doesNotMatch(text, /\d (?:articles?|drafts?|comments?|agents?)\b/);
});
