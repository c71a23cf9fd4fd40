// GET /v1/search?type=principal over HTTP, with the pipeline stopped between a change and its consequences.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAgent } from '#test/agents';
import { closeAccount } from '#test/closing';
import { assertProblem, startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { allIds, askSearch, derive, hits, idsOf } from '#test/search';

let server: TestServer;

before(async () => {
  server = await startServer({ ROLE: 'web' });
});

after(() => server[Symbol.asyncDispose]());

const index = () => derive(server, 'principal.changed');

async function rename({ id, token }: Human, body: Readonly<Record<string, unknown>>) {
  const changed = await server.ask('PATCH', `/v1/principals/${id}`, { token, key: true, body });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
}

/** Creates an indexed person. */
async function person(username: string, members: Readonly<Record<string, unknown>> = {}) {
  const human = await server.register(username);
  if (Object.keys(members).length > 0) await rename(human, members);
  await index();
  return human;
}

async function findPrincipals(q: string, more: Readonly<Record<string, string>> = {}) {
  return idsOf(await hits(server, { type: 'principal', q, ...more }));
}

test('200 a principal is found with the ordinary record', async () => {
  const { id } = await person('ada-lovelace', { display_name: 'Ada King', bio: 'Numbers.' });
  const [hit, ...more] = await hits(server, { type: 'principal', q: 'ada-lovelace' });
  assert.equal(more.length, 0);
  assert.equal(hit.type, 'principal');
  const { body } = await server.ask('GET', `/v1/principals/${id}`);
  const { counts: _, ...record } = body;
  assert.deepEqual(hit.principal, record);
});

test('200 by its names with accents or without, in any order, begun, and with a typo', async () => {
  const { id } = await person('gracehopper', { display_name: 'Gráce Brewster Hopper' });
  for (const q of [
    'GraceHopper',
    '@gracehopper',
    'grace hopper',
    'grace-hopper',
    'gráce',
    'hopper grace',
    'brewster',
    'gra',
    'grace brew',
    'gracehoper',
    'grcae hopper',
    'brewstr',
    'hoppper',
    'grace_hoppre',
  ])
    assert.deepEqual(await findPrincipals(q), [id], q);
  for (const q of ['grace -hopper', 'hopkins', 'brwstr', '"hopper brewster"'])
    assert.deepEqual(await findPrincipals(q), [], q);
});

test('200 the name itself before its beginnings, those before typos, and bios last', async () => {
  const bio = await person('zz-bio', { bio: 'I know turing and his machine' });
  const typo = await person('zz-tring', { display_name: 'Truing' });
  const begun = await person('turing-machine');
  const exact = await person('turing');
  assert.deepEqual(await findPrincipals('turing'), [exact.id, begun.id, typo.id, bio.id]);
});

test('200 a name without spaces is marked once, and words of a bio whatever stands beside them', async () => {
  const bio = 'Writes “heptapod grammars” and—sometimes—poems(-gibberish).';
  const { id } = await person('zz-wang', { display_name: '王小明', bio });
  const [hit] = await hits(server, { type: 'principal', q: '王小明' });
  assert.equal(hit.principal.id, id);
  assert.deepEqual(hit.snippet.matches, [[0, 3]]);
  for (const q of ['heptapod', 'grammars', 'sometimes', 'gibberish', '“heptapod grammars”'])
    assert.deepEqual(await findPrincipals(q), [id], q);
});

test('200 a bio is found by its words, with a snippet of it', async () => {
  await person('zz-words', { display_name: 'Someone', bio: 'Keeps\n  🦉 owls & heliotropes.' });
  const [hit] = await hits(server, { type: 'principal', q: 'heliotropes owls' });
  assert.equal(hit.snippet.text, 'Keeps 🦉 owls & heliotropes.');
  const points = [...hit.snippet.text];
  const words = hit.snippet.matches.map(([start, end]: [number, number]) =>
    points.slice(start, end).join(''),
  );
  assert.deepEqual(words, ['owls', 'heliotropes']);
  const [named] = await hits(server, { type: 'principal', q: 'someone' });
  assert.deepEqual(named.snippet, { text: 'Someone', matches: [[0, 7]], trust: 'untrusted' });
});

test('200 other scripts', async () => {
  const tanaka = await person('zz-tanaka', { display_name: '田中太郎', bio: 'Пишет о рыбах' });
  for (const q of ['田中太郎', '太郎', 'рыбах', 'пишет'])
    assert.deepEqual(await findPrincipals(q), [tanaka.id], q);
});

test('200 kind: people or agents', async () => {
  const owner = await person('kindred-one');
  const agent = await createAgent(server, owner, { username: 'kindred-two' });
  await index();
  assert.deepEqual(await findPrincipals('kindred'), [owner.id, agent.id]);
  assert.deepEqual(await findPrincipals('kindred', { kind: 'human' }), [owner.id]);
  assert.deepEqual(await findPrincipals('kindred', { kind: 'agent' }), [agent.id]);
});

for (const [filter, value] of [
  ['author', 'ann'],
  ['topic', 'a'],
  ['language', 'en'],
  ['disclosure', 'human_authored'],
  ['signed', 'true'],
  ['since', '2026-01-01T00:00:00.000Z'],
  ['until', '2026-01-01T00:00:00.000Z'],
] as const) {
  test(`400 invalid-request: ${filter} is not a filter of principals`, async () => {
    const answer = await askSearch(server, { type: 'principal', q: 'x', [filter]: value });
    assertProblem(answer, 'invalid-request');
    assert.match(answer.body.detail, /only filter of principals is kind/);
  });
}

test('200 a new display name is found, and the old one no more', async () => {
  const human = await person('zz-renamed', { display_name: 'Umbellifer' });
  assert.deepEqual(await findPrincipals('umbellifer'), [human.id]);
  await rename(human, { display_name: 'Saxifrage' });
  const between = await hits(server, { type: 'principal', q: 'umbellifer' });
  assert.doesNotMatch(JSON.stringify(between), /umbellifer/i);
  await index();
  assert.deepEqual(await findPrincipals('umbellifer'), []);
  assert.deepEqual(await findPrincipals('saxifrage'), [human.id]);
});

test('200 a de-indexed account is not found from the action on; a suspended one is', async () => {
  const moderator = await aModerator(server);
  const { id } = await person('zz-moderated');
  const input = { target_type: 'principal', target_id: id } as const;
  for (const [action, atOnce, later] of [
    ['suspend', [id], [id]],
    ['de-index', [], []],
    ['restore', [], [id]],
  ] as const) {
    await act(server, moderator, { ...input, action });
    assert.deepEqual(
      await findPrincipals('zz-moderated'),
      atOnce,
      `${action}, before its subscriber`,
    );
    await index();
    assert.deepEqual(await findPrincipals('zz-moderated'), later, action);
  }
});

for (const treatment of ['pseudonymise', 'unpublish', 'erase'] as const) {
  test(`200 a closed account and its agents are not found, at once: ${treatment}`, async () => {
    const name = `closing-${treatment}`;
    const leaver = await person(name, { bio: `left${treatment}` });
    await createAgent(server, leaver, { username: `${name}-bot` });
    await index();
    assert.equal((await findPrincipals(name)).length, 2);
    await closeAccount(server, leaver, treatment);
    for (const when of ['before', 'after']) {
      for (const q of [name, `left${treatment}`, 'closed'])
        assert.deepEqual(await findPrincipals(q), [], `${q} ${when} its subscribers`);
      await index();
    }
  });
}

test('200 pages: each once, the best first, and the cursor is of this search only', async () => {
  const ids = [];
  for (let one = 0; one < 13; one += 1) ids.push((await person(`pagina-${one}x`)).id);
  const all = await allIds(server, { type: 'principal', q: 'pagina', limit: '4' });
  assert.deepEqual([...all].sort(), [...ids].sort());
  const { body } = await askSearch(server, { type: 'principal', q: 'pagina', limit: '4' });
  const other = { type: 'article', q: 'pagina', limit: '4', cursor: body.next_cursor as string };
  assertProblem(await askSearch(server, other), 'invalid-request');
});

test('200 any text is a query', async () => {
  for (const q of ['%_', '\\', "'", ':*', '!()&|<->', 'a'.repeat(200), '🦉', '@', '"', 'ﬁ'])
    assert.equal((await askSearch(server, { type: 'principal', q })).status, 200, q);
});
