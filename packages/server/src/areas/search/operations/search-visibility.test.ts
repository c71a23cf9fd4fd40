// GET /v1/search over HTTP: unlisted articles are never found, whatever the index still contains.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import type { Statement } from '#database';
import { bucketOf } from '#lib/id';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { findable, titlesFor } from '#test/searching';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
let ann: Human;
let moderator: Human;

before(async () => {
  ann = await server.register();
  moderator = await aModerator(server);
});

/** By its title, by a word of its text, with a typo, and by the beginning of its title. */
const ways = ['flamingo', 'lagoon', 'flamimgo', 'flamin', 'flamingo lagoon'] as const;

async function assertFound(expected: boolean): Promise<void> {
  for (const q of ways)
    assert.deepEqual(await titlesFor(server, q), expected ? ['Flamingo'] : [], q);
}

async function hasSearchRow(id: string): Promise<boolean> {
  const row = await server.db.first(sql<{ one: number }>`
    select 1 as one
    from article_search
    where bucket = ${bucketOf(id)} and article_id = ${id}`);
  return row !== undefined;
}

async function knowsWord(word: string): Promise<boolean> {
  const row = await server.db.first(sql<{ one: number }>`
    -- every bucket: a test looks for the word anywhere
    select 1 as one
    from search_words
    where word = ${word}`);
  return row !== undefined;
}

const changes: Readonly<Record<string, (place: Statement) => Statement>> = {
  unlisted: (place) => sql`update articles set visibility = 'unlisted' ${place}`,
  private: (place) => sql`update articles set visibility = 'private' ${place}`,
  hidden: (place) => sql`update articles set status = 'hidden' ${place}`,
  removed: (place) => sql`update articles set status = 'removed' ${place}`,
  unpublished: (place) => sql`update articles set status = 'unpublished' ${place}`,
  erased: (place) => sql`update articles set status = 'erased' ${place}`,
  'de-indexed': (place) => sql`update articles set deindexed = true ${place}`,
};

for (const [state, change] of Object.entries(changes)) {
  test(`200 without an article that is ${state}, while its search row is still there`, async () => {
    const id = await findable(server, ann, { title: 'Flamingo', content: 'In a lagoon.' });
    await assertFound(true);
    const place = sql`where bucket = ${bucketOf(id)} and id = ${id}`;
    await server.db.transaction(async (tx) => {
      await tx.run(change(place));
    });
    assert.equal(await hasSearchRow(id), true);
    await assertFound(false);
    await server.db.transaction(async (tx) => {
      await tx.run(
        sql`update articles set status = 'published', visibility = 'public', deindexed = false ${place}`,
      );
    });
    await assertFound(true);
    await server.ask('DELETE', `/v1/articles/${id}`, { token: ann.token });
    await assertFound(false);
  });
}

test('200 hidden it is not found, restored it is found again', async () => {
  const id = await findable(server, ann, { title: 'Flamingo', content: 'In a lagoon.' });
  const target = { target_type: 'article', target_id: id } as const;
  await act(server, moderator, { ...target, action: 'hide' });
  await assertFound(false);
  await until('the row is gone', async () => !(await hasSearchRow(id)));
  assert.equal(await knowsWord('flamingo'), false);
  await act(server, moderator, { ...target, action: 'restore' });
  await until('the row is back', () => hasSearchRow(id));
  await assertFound(true);
  await server.ask('DELETE', `/v1/articles/${id}`, { token: ann.token });
});

test('200 nothing of an erased article stays in the index, nor the words that only its title had', async () => {
  const kept = await findable(server, ann, { title: 'Shared pelican', content: 'x' });
  const id = await findable(server, ann, { title: 'Shared cormorant', content: 'x' });
  assert.equal(await knowsWord('cormorant'), true);
  const body = { confirm: 'erase' };
  await server.ask('POST', `/v1/articles/${id}/erase`, { token: ann.token, body });
  await until('the row is gone', async () => !(await hasSearchRow(id)));
  assert.equal(await knowsWord('cormorant'), false);
  assert.equal(await knowsWord('shared'), true);
  assert.equal(await hasSearchRow(kept), true);
});

test('200 articles of a participant who is de-indexed are found as lists have them', async () => {
  await findable(server, ann, { title: 'Spoonbill', content: 'x' });
  const target = { target_type: 'principal', target_id: ann.id } as const;
  await act(server, moderator, { ...target, action: 'de-index' });
  assert.deepEqual(await titlesFor(server, 'spoonbill'), ['Spoonbill']);
});
