// Records of every kind that many ask for at the same time: one statement reads them, and each is what was asked for.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { closeUnder } from './agents.ts';
import { comment } from './comments.ts';
import { link } from './edges.ts';
import { startServer } from './harness.ts';
import type { Human } from './harness.ts';
import { fetchBytes, pngOf, upload } from './media-files.ts';
import type { Served } from './media-files.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const [author, reader, closed] = await Promise.all([
  server.register(),
  server.register(),
  server.register(),
]);

/** The records of a person: what everybody may read, and what only the author may. */
async function recordsOf(person: Human, side: number): Promise<readonly string[]> {
  const title = `Of ${person.username}`;
  const open = await server.published(person, { title });
  const own = await server.published(person, { title, visibility: 'private' });
  const cited = await server.published(person);
  const paths = [`/v1/principals/${person.id}`, `/v1/usernames/${person.username}`];
  for (const article of [open, own]) {
    const said = await comment(server, person, article.id, { content: title });
    const edge = await link(server, person, [article, cited]);
    paths.push(`/v1/comments/${said.id}`, `/v1/edges/${edge.id}`);
  }
  const { id } = (await upload(server, person, 'image', pngOf(side, side))).body;
  return [...paths, `/v1/media/${id}`, '/v1/me'];
}

test('each of many records that are read at once is what its reader gets alone', async () => {
  await closeUnder(server, closed.id, 'closed-h3k5m7p2');
  const paths = [
    ...(await recordsOf(author, 3)),
    ...(await recordsOf(reader, 4)),
    `/v1/principals/${closed.id}`,
    `/v1/usernames/${closed.username}`,
    ...['principals', 'comments', 'edges', 'media'].map((kind) => `/v1/${kind}/${newId(7)}`),
  ];
  const asked = [{ token: author.token }, { token: reader.token }].flatMap((by) =>
    paths.map((path) => ({ path, by })),
  );
  const read = async ({ path, by }: (typeof asked)[number]) => {
    const { status, body } = await server.ask('GET', path, by);
    return { path, status, body: status === 200 ? body : body.type };
  };
  const alone = [];
  for (const one of asked) alone.push(await read(one));
  assert.deepEqual(new Set(alone.map(({ status }) => status)), new Set([200, 404, 410]));
  for (let round = 0; round < 5; round += 1)
    assert.deepEqual(await Promise.all(asked.map(read)), alone);
});

test('files that are fetched at once are each what was asked for, in every width', async () => {
  const files = [];
  for (let side = 1; side <= 8; side += 1) {
    const bytes = pngOf(side, side);
    files.push({ bytes, id: (await upload(server, author, 'image', bytes)).body.id as string });
  }
  for (let round = 0; round < 5; round += 1) {
    const served: Served[] = await Promise.all(
      files.flatMap(({ id }) => [
        fetchBytes(server, `/media/${id}`),
        // No smaller version is made here.
        fetchBytes(server, `/media/${id}?w=320`),
        fetchBytes(server, `/media/${id}?w=640`),
      ]),
    );
    for (const [index, { status, bytes }] of served.entries()) {
      assert.equal(status, index % 3 === 0 ? 200 : 404);
      if (status === 200) assert.deepEqual(bytes, files[index / 3]?.bytes);
    }
  }
});
