// Arguments of tools: what is marked as required suffices, and one thing has one name in all of them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bodyExample, operationList, principalKinds, scopes } from '@colophon/contract';
import { storeToken } from '../../server/test/accounts.ts';
import { startServer } from '../../server/test/harness.ts';
import type { Human, TestServer } from '../../server/test/harness.ts';
import { toolsFor } from '../src/tools/tasks.ts';
import type { Tool } from '../src/tools/tool.ts';
import type { Schema } from '../src/untrusted.ts';
import { connect, contentOf, textOf } from './connection.ts';
import type { Content } from './connection.ts';

let server: TestServer;
let ada: Human;
before(async () => {
  server = await startServer();
  ada = await server.register();
});
after(() => server[Symbol.asyncDispose]());

const envOf = (token: string) => ({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: token });
const all = toolsFor({ tools: 'all', readOnly: false });

/** An id that nothing has. */
const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';

/** Tools that need one argument of two, which no list of required ones can say: their descriptions do. */
const oneOfTwo: Readonly<Record<string, readonly string[]>> = {
  create_edge: ['dst_article_id', 'dst_uri'],
  upload_media: ['data', 'path'],
};

function sampleOf(name: string, { enum: words, type, minimum = 1 }: Schema): unknown {
  if (words !== undefined) return words[0];
  if (/id$/i.test(name)) return id;
  if (name === 'data') return 'aGVsbG8=';
  return { integer: minimum, boolean: true, array: [], object: {} }[String(type)] ?? 'rivers';
}

/** Returns values for the required arguments and for no other. */
function requiredOf({ name, input }: Tool): Record<string, unknown> {
  const operation = operationList.find(
    (one) => one.name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) === name,
  );
  const example = operation === undefined ? {} : bodyExample(operation);
  return Object.fromEntries(
    (input.required ?? []).map((member) => [
      member,
      // What exists is named in no example: this must not close, remove or revoke anything.
      /id$/i.test(member)
        ? id
        : (example[member] ?? sampleOf(member, input.properties[member] ?? {})),
    ]),
  );
}

test('no tool misses an argument when it has those that it requires', async () => {
  const token = await storeToken(server, (await server.register()).id, scopes);
  await using host = await connect(envOf(token), ['--tools', 'all']);
  for (const tool of all.values()) {
    const answer = await host.call(tool.name, requiredOf(tool));
    const { status, errors = [] } = contentOf(answer);
    const missing = errors.filter(({ code }: Content) => code === 'required');
    const said = `${tool.name}: ${textOf(answer)}`;
    const choice = oneOfTwo[tool.name];
    if (choice === undefined) {
      assert.notEqual(status, 428, said);
      assert.deepEqual(missing, [], said);
      assert.ok(status !== undefined || answer.isError !== true, said);
    } else {
      assert.equal(answer.isError, true, said);
      for (const one of choice) {
        assert.match(textOf(answer), new RegExp(one), said);
        assert.match(tool.description, new RegExp(one), tool.name);
      }
    }
  }
});

test('a value of another kind is refused with the name of the argument, and not with that of an operation', async () => {
  const token = await storeToken(server, (await server.register()).id, scopes);
  await using host = await connect(envOf(token), ['--tools', 'all']);
  const operations = operationList.map(({ name }) => name).filter((name) => /[A-Z]/.test(name));
  const foreign = new RegExp(`\\b(?:${operations.join('|')})\\b|is a query parameter`);
  for (const tool of all.values()) {
    const { path = [], query = [] } = tool.inUrl ?? {};
    for (const name of [...path, ...query])
      for (const value of [null, 5, [], {}, '', '..', '\ud800', true]) {
        const said = textOf(await host.call(tool.name, { ...requiredOf(tool), [name]: value }));
        const call = `${tool.name} ${name} ${JSON.stringify(value)}: ${said}`;
        assert.doesNotMatch(said, foreign, call);
        if (value !== null && typeof value === 'object')
          assert.match(said, new RegExp(`^${name} must be `), call);
      }
  }
  const without = [...all.values()].filter(({ inUrl }) => inUrl === undefined);
  assert.deepEqual(without.map(({ name }) => name).toSorted(), []);
  const refused = await host.call('read_thread', { id: null });
  assert.equal(refused.isError, true);
  assert.match(
    textOf(refused),
    /^id must be an id or a name: a string that is not empty\. Nothing was done/,
  );
});

test('each required argument is one that the tool has', () => {
  for (const { name, input } of all.values())
    for (const member of input.required ?? [])
      assert.ok(Object.hasOwn(input.properties, member), `${name}: ${member}`);
});

test('the kind of an author has one name in all tools, and so has a person or agent', () => {
  const kinds = JSON.stringify(principalKinds);
  const found = [...all.values()].flatMap(({ name, input }) =>
    Object.entries(input.properties).flatMap(([member, { enum: words }]) =>
      JSON.stringify(words) === kinds ? [`${name} ${member}`] : [],
    ),
  );
  assert.deepEqual(found, [
    'read_feed author_kind',
    'search author_kind',
    'list_articles author_kind',
  ]);
  for (const name of ['follow', 'unfollow'])
    assert.deepEqual(all.get(name)?.input.required, ['principal_id']);
});

test('a filter by the kind of the author reaches the service under its name', async () => {
  const { id: article } = await server.published(ada, { title: 'Wombat paths' });
  await using host = await connect(envOf(ada.token), ['--tools', 'all']);
  for (const [name, args] of [
    ['read_feed', {}],
    ['list_articles', { author: ada.username }],
  ] as const) {
    const idsOf = async (author_kind: string) => {
      const answer = await host.call(name, { ...args, author_kind });
      return JSON.stringify(contentOf(answer)['items']).includes(article);
    };
    assert.deepEqual([await idsOf('human'), await idsOf('agent')], [true, false], name);
  }
  for (const [args, said] of [
    [{ kind: 'human' }, /no argument "kind"\. Arguments: .*author_kind/],
    [{ author_kind: 'robot' }, /^author_kind must be "human" or "agent"/],
  ] as const)
    assert.match(textOf(await host.call('search', { q: 'wombat', ...args })), said);
  const agents = await host.call('search', { q: 'wombat', author_kind: 'agent' });
  assert.deepEqual(contentOf(agents)['items'], []);
});

test('what an agent did can be taken back with the tools that it has', async () => {
  const other = await server.register();
  const { id: article } = await server.published(other);
  await using host = await connect(envOf(ada.token));
  const followed = await host.call('follow', { principal_id: other.id });
  assert.equal(followed.isError, undefined, textOf(followed));
  const comment = contentOf(await host.call('create_comment', { id: article, content: 'Hasty.' }));
  const mine = await server.published(ada);
  const edge = contentOf(
    await host.call('create_edge', {
      src_article_id: mine.id,
      kind: 'cites',
      dst_article_id: article,
    }),
  );
  for (const [name, args] of [
    ['unfollow', { principal_id: other.id }],
    ['delete_comment', { id: comment['id'] }],
    ['delete_edge', { id: edge['id'] }],
  ] as const) {
    assert.equal(textOf(await host.call(name, args)), 'Done.', name);
    assert.equal(all.get(name)?.annotations.destructiveHint, true, name);
  }
  const thread = contentOf(await host.call('read_thread', { id: article }));
  assert.equal(thread['comments'].items[0].status, 'deleted');
  assert.deepEqual(thread['edges_in'].items, []);
  const followers = await server.ask('GET', `/v1/principals/${other.id}/followers`);
  assert.deepEqual(followers.body.items, []);
});

test('a revision of an older text says which tool to call with what', async () => {
  const draft = await server.draft(ada);
  await using host = await connect(envOf(ada.token));
  const revise = (content: string) =>
    host.call('create_revision', {
      id: draft.id,
      content,
      expected_revision_id: draft.revision_id,
    });
  const { revision_id: newest } = contentOf(await revise('Two.'));
  const refused = await revise('Three.');
  assert.equal(contentOf(refused)['status'], 412);
  assert.match(
    textOf(refused, 1),
    new RegExp(`read_thread.*view latest.*expected_revision_id ${newest}`),
  );
});

test('a tool that is not offered is told apart from one that does not exist', async () => {
  await using host = await connect(envOf(ada.token));
  await assert.rejects(host.call('erase_article', {}), /no such tool here\..*--tools all/);
  await assert.rejects(host.call('paint_article', {}), /no such tool\. tools\/list/);
  await using reading = await connect(envOf(ada.token), ['--read-only']);
  await assert.rejects(reading.call('create_article', {}), /without --read-only/);
});

test('a file without a kind is refused before anything is reserved', async () => {
  await using host = await connect(envOf(ada.token));
  const refused = await host.call('upload_media', { data: 'aGVsbG8=' });
  assert.match(textOf(refused), /^kind must be image, /);
  const { body } = await server.ask('GET', '/v1/media', { token: ada.token });
  assert.deepEqual(body.items, []);
});

test('list_events refuses a type that no event has, and names those that there are', async () => {
  await using host = await connect(envOf(ada.token));
  const refused = await host.call('list_events', { type: 'comment_created' });
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /^type must be "comment\.created" or "reply\.created" or /);
  assert.notEqual((await host.call('list_events', { type: 'comment.created' })).isError, true);
});
