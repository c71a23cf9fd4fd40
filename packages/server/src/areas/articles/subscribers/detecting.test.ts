// Tests of languages that could not be detected while the author waited.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const human = await server.register();

const german =
  'Der Igel schläft im Winter unter einem großen Haufen aus Laub, und niemand weckt ihn auf, bis es wieder wärmer geworden ist.';

const read = async (id: string) =>
  (await server.ask('GET', `/v1/articles/${id}`, { token: human.token })).body;

/** Runs `work` while the machine is too busy to detect a language. */
async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const { text } = server.services;
  const { detectLanguage } = text;
  Object.assign(text, { detectLanguage: async () => undefined });
  try {
    return await work();
  } finally {
    Object.assign(text, { detectLanguage });
  }
}

const draft = (author: Human, members: Readonly<Record<string, unknown>>) =>
  whileBusy(async () => (await server.draft(author, members)).id as string);

test('a language that could not be detected in time is detected later, for readers and for search', async () => {
  const { id, language, updated_at } = await whileBusy(async () =>
    read((await server.published(human, { title: 'Igel', content: german })).id),
  );
  assert.equal(language, 'und');
  await until('the language is detected', async () => (await read(id)).language === 'de');
  assert.ok(Date.parse((await read(id)).updated_at) > Date.parse(updated_at));
  await untilSettled(server);
  const found = await server.ask('GET', '/v1/search?q=Winters&language=de');
  assert.deepEqual(
    found.body.items.map((one: { article: { id: string } }) => one.article.id),
    [id],
  );
});

test('a draft gets its language too; one without enough words keeps und, and a text that says so is not tried again', async () => {
  const [one, short] = [
    await draft(human, { content: german }),
    await draft(human, { content: '1 2' }),
  ];
  await until('the language is detected', async () => (await read(one)).language === 'de');
  await untilSettled(server);
  const { language, updated_at, created_at } = await read(short);
  assert.deepEqual([language, updated_at], ['und', created_at]);
});

test('a language that the author names meanwhile stays, and an erased article is not changed', async () => {
  const ids = await whileBusy(async () => {
    const [named, erased] = [
      await server.draft(human, { content: german }),
      await server.draft(human, { content: german }),
    ];
    const { token } = human;
    await server.ask('PATCH', `/v1/articles/${named.id}`, { token, body: { language: 'nl' } });
    await server.ask('POST', `/v1/articles/${erased.id}/erase`, {
      token,
      body: { confirm: 'erase' },
    });
    return [named.id, erased.id] as string[];
  });
  await untilSettled(server);
  const languages = ids.map(async (id) => {
    const row = await server.db.first(sql<{ language: string }>`
      select language from articles where bucket = ${bucketOf(id)} and id = ${id}`);
    return row?.language;
  });
  assert.deepEqual(await Promise.all(languages), ['nl', 'und']);
});
