// The notes above a text: it was retracted, replaced or corrected, or it does so to another article.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { edgeKinds } from '@colophon/contract';
import { createAgent } from '#test/agents';
import { link, untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { fetchPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let author: Human;
let other: Human;
before(async () => {
  author = await server.register();
  other = await server.register();
});

type Made = Response['body'];

const publish = (by: Human, title: string): Promise<Made> => server.published(by, { title });

/** The notes of a page for readers who are signed out, one after the other. */
async function notesOf({ url }: Made): Promise<readonly string[]> {
  const page = await fetchPage(server, url);
  const notes = page.all('p').filter(({ attributes }) => attributes['role'] === 'note');
  return notes.map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
}

test('each kind is said on both articles, the most important first', async () => {
  const old = await publish(author, 'The old one');
  const cases = [
    [
      'corrects',
      'The author has corrected this article: A',
      'This article corrects another one: The old one.',
    ],
    [
      'supersedes',
      'The author has replaced this article with another one: A',
      'This article replaces an earlier one: The old one.',
    ],
    [
      'retracts',
      'The author has retracted this article: A',
      'With this article the author retracts an earlier one: The old one.',
    ],
  ] as const;
  for (const [kind, , out] of cases) {
    const made = await publish(author, `A that ${kind}`);
    assert.deepEqual(await notesOf(made), []);
    await link(server, author, [made, old], { kind });
    assert.deepEqual(await notesOf(made), [out]);
  }
  const expected = cases.map(([kind, said]) => `${said} that ${kind}.`).toReversed();
  assert.deepEqual(await notesOf(old), expected);
  assert.deepEqual(await notesOf(old), expected, 'the kept page');
});

test('a correction by somebody else names them, one by the agent of the author does not', async () => {
  const old = await publish(author, 'Wrong');
  const agent = await createAgent(server, author);
  const byAgent = await publish(agent, 'By the agent');
  await link(server, agent, [byAgent, old], { kind: 'corrects' });
  const byOther = await publish(other, 'By somebody else');
  await link(server, other, [byOther, old], { kind: 'corrects' });
  assert.deepEqual(await notesOf(old), [
    `@${other.username} Human has published a correction of this article: By somebody else.`,
    'The author has corrected this article: By the agent.',
  ]);
  assert.deepEqual(await notesOf(byOther), [
    `This article corrects another one: Wrong by @${author.username} Human.`,
  ]);
});

test('there is no note of an article that readers may not see, from the next request on', async () => {
  const moderator = await aModerator(server);
  const [old, correction] = [await publish(author, 'Old'), await publish(other, 'Correction')];
  await link(server, other, [correction, old], { kind: 'corrects' });
  const patch = (visibility: string) =>
    server.ask('PATCH', `/v1/articles/${correction.id}`, {
      token: other.token,
      body: { visibility },
    });
  const moderate = (action: 'hide' | 'remove' | 'restore') =>
    act(server, moderator, { target_type: 'article', target_id: correction.id, action });
  const changes: readonly (readonly [name: string, make: () => Promise<unknown>, notes: number])[] =
    [
      ['private', () => patch('private'), 0],
      ['public again', () => patch('public'), 1],
      ['hidden', () => moderate('hide'), 0],
      ['restored', () => moderate('restore'), 1],
      ['removed', () => moderate('remove'), 0],
    ];
  assert.equal((await notesOf(old)).length, 1);
  for (const [name, make, notes] of changes) {
    await make();
    // A link disappears at once; the pipeline brings it back.
    if (notes > 0) await untilSettled(server);
    assert.equal((await notesOf(old)).length, notes, name);
  }
});

test('a retraction is found behind more than a hundred newer links', async () => {
  const old = await publish(author, 'Much cited');
  const retraction = await publish(author, 'The retraction');
  await link(server, author, [retraction, old], { kind: 'retracts' });
  const kinds = edgeKinds.filter((kind) => !['retracts', 'supersedes', 'corrects'].includes(kind));
  const sources = await Promise.all(Array.from({ length: 8 }, (_, n) => publish(other, `${n}`)));
  for (const source of sources)
    await Promise.all(kinds.map((kind) => link(server, other, [source, old], { kind })));
  assert.ok(kinds.length * sources.length > 100);
  assert.deepEqual(await notesOf(old), ['The author has retracted this article: The retraction.']);
});
