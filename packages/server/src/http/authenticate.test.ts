// Tokens of requests that arrive together: one statement reads their rows, and nobody gets the answer of another.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bucketOf } from '#lib/id';
import { mintToken } from '@colophon/text/lib/token-text';
import { setPrincipalStatus, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const people: Human[] = [];
for (let n = 0; n < 12; n += 1) people.push(await server.register());

/** Sends the same request with each token at the same time. */
const askAll = (tokens: readonly (string | undefined)[], path: string) =>
  Promise.all(tokens.map((token) => server.ask('GET', path, token === undefined ? {} : { token })));

/** Tokens of all kinds, with who the caller is: undefined for one that is refused. */
async function tokensOfAllKinds(): Promise<readonly (readonly [string, string | undefined])[]> {
  const [owner, suspended, suspendedOwner, closed] = await Promise.all(
    Array.from({ length: 4 }, () => server.register()),
  );
  assert.ok(owner && suspended && suspendedOwner && closed);
  const agent = await storeAgent(server, owner);
  const agentOfSuspended = await storeAgent(server, suspendedOwner);
  const revoked = await server.tokenWith(owner, []);
  const { body } = await server.ask('GET', '/v1/me', { token: revoked });
  await server.ask('DELETE', `/v1/tokens/${body.token.id}`, { token: owner.token });
  await setPrincipalStatus(server, suspended.id, 'suspended');
  await setPrincipalStatus(server, suspendedOwner.id, 'suspended');
  await setPrincipalStatus(server, closed.id, 'closed');
  const { deployment } = server.services.config;
  return [
    [owner.token, owner.id],
    [await server.tokenWith(owner, ['articles:read']), owner.id],
    [agent.token, agent.id],
    [suspended.token, suspended.id],
    [agentOfSuspended.token, agentOfSuspended.id],
    [revoked, undefined],
    [closed.token, undefined],
    [await storeToken(server, owner.id, [], new Date(Date.now() - 1_000)), undefined],
    // Unknown, in the bucket of another.
    [mintToken({ bucket: bucketOf(owner.id), deployment }).token, undefined],
    ...people.map(({ token, id }) => [token, id] as const),
  ];
}

test('each of many tokens at once is its own caller with its own scopes, or 401', async () => {
  const known = await tokensOfAllKinds();
  const alone = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [token] of known)
    alone.set(token, (await server.ask('GET', '/v1/me', { token })).body.token);
  for (let round = 0; round < 10; round += 1) {
    const shift = (round * 5) % known.length;
    const turned = [...known.slice(shift), ...known.slice(0, shift)];
    const answers = await askAll(
      turned.map(([token]) => token),
      '/v1/me',
    );
    for (const [index, [token, id]] of turned.entries()) {
      const answer = answers[index];
      assert.ok(answer);
      if (id === undefined) {
        assertProblem(answer, 'unauthenticated');
        continue;
      }
      assert.equal(answer.body.principal.id, id);
      assert.equal(answer.body.token.id, alone.get(token)?.['id']);
      assert.deepEqual(answer.body.token.scopes, alone.get(token)?.['scopes']);
    }
  }
});

test('a token that was revoked is refused among others that are not', async () => {
  const [first, ...others] = people;
  assert.ok(first);
  for (let round = 0; round < 10; round += 1) {
    const token = await server.tokenWith(first, ['articles:read']);
    const tokens = [token, ...others.map((one) => one.token), token];
    const [answer] = await askAll(tokens, '/v1/me');
    await server.ask('DELETE', `/v1/tokens/${answer?.body.token.id}`, { token: first.token });
    const statuses = (await askAll(tokens, '/v1/me')).map(({ status }) => status);
    assert.deepEqual(statuses, [401, ...others.map(() => 200), 401]);
  }
});

test('a draft that many ask for at once is only for its author', async () => {
  const [author, ...others] = people;
  assert.ok(author);
  const draft = await server.draft(author);
  const tokens = [undefined, ...others.map(({ token }) => token), author.token];
  const answers = await askAll(tokens, `/v1/articles/${draft.id}`);
  for (const answer of answers.slice(0, -1)) assertProblem(answer, 'not-found');
  assert.equal(answers.at(-1)?.body.id, draft.id);
});

test('articles that are read at the same time are each what was asked for', async () => {
  const articles = [];
  for (const person of people)
    articles.push(await server.published(person, { title: `Of ${person.username}` }));
  const paths = articles.flatMap(({ id }) => [`/v1/articles/${id}`, `/v1/articles/${id}`]);
  const [reader] = people;
  for (let round = 0; round < 5; round += 1) {
    const asked = round % 2 === 0 ? {} : { token: reader?.token ?? '' };
    const answers = await Promise.all(paths.map((path) => server.ask('GET', path, asked)));
    for (const [index, { body }] of answers.entries()) {
      const person = people[Math.floor(index / 2)];
      assert.equal(body.title, `Of ${person?.username}`);
      assert.equal(body.author.id, person?.id);
    }
  }
});

test('people who ask at once for their newest events get their own', async () => {
  const [author, ...others] = people;
  assert.ok(author);
  const article = await server.published(author);
  await server.ask('POST', `/v1/articles/${article.id}/comments`, {
    token: others[0]?.token ?? '',
    body: { content: 'An answer.' },
    key: true,
  });
  const tokens = [author.token, ...others.map(({ token }) => token)];
  const answers = await askAll(tokens, '/v1/events');
  const [own, ...rest] = answers.map(({ body }) => body.items);
  assert.ok(own.length > 0);
  assert.deepEqual(rest.flat(), []);
  const newest = own.at(-1).id;
  const after = await askAll(tokens, `/v1/events?since=${newest}`);
  assert.deepEqual(
    after.flatMap(({ body }) => body.items),
    [],
  );
});
