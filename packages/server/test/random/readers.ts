// What each kind of reader is told, compared with what is listed and with the rows.
import assert from 'node:assert/strict';
import type pg from 'pg';
import { readAll } from '../feeds.ts';
import { addressesIn } from './addresses.ts';
import type { Human, Response, TestServer } from '../harness.ts';
import { everyone } from './world.ts';
import type { World } from './world.ts';

type Reader = Pick<Human, 'token'> | undefined;

interface Readers {
  readonly server: TestServer;
  readonly client: pg.Client;
}

async function rowsOf<R extends object>({ client }: Readers, text: string, values: unknown[] = []) {
  return (await client.query<R>(text, values)).rows;
}

const read = (server: TestServer, path: string, reader: Reader): Promise<Response> =>
  server.ask('GET', path, reader === undefined ? {} : { token: reader.token });

/** Every id of a list, to its end. */
const idsAt = (server: TestServer, path: string, reader?: Reader, query = '?limit=100') =>
  readAll((more) => read(server, path + more, reader), query);

const listed = `status = 'published' and visibility = 'public' and not deindexed`;

/** Everyone who may read an article is told the same counts, and a stranger finds as many in the lists. */
async function checkArticles(readers: Readers, world: World, stranger: Human): Promise<number> {
  const { server } = readers;
  const rows = await rowsOf<{ id: string; author_id: string; comments: number }>(
    readers,
    `select a.id, a.author_id, (
       select count(*)::int from comments c where c.article_id = a.id and c.status = 'visible'
     ) as comments
     from articles a order by a.id`,
  );
  let read200 = 0;
  for (const { id, author_id: authorId, comments } of rows) {
    const author = everyone(world).find((one) => one.id === authorId);
    for (const reader of [undefined, stranger, author, world.moderators[0]]) {
      const { status, body } = await read(server, `/v1/articles/${id}`, reader);
      if (status !== 200) continue;
      read200 += 1;
      assert.equal(body.counts.comments, comments, `comments of ${id}`);
      if (reader !== undefined && reader !== stranger) continue;
      const lists = ['edges?direction=in&limit=100', 'edges?limit=100'].map((path) =>
        readAll((more) => read(server, `/v1/articles/${id}/${path}${more}`, reader), ''),
      );
      const [edgesIn, edgesOut] = await Promise.all(lists);
      const counted = [body.counts.edges_in, body.counts.edges_out];
      assert.deepEqual(counted, [edgesIn?.length, edgesOut?.length], `edges of ${id}`);
    }
  }
  return read200;
}

interface Due {
  readonly counts: object;
  readonly followers: readonly string[];
  readonly following: readonly string[];
}

/** A principal that a moderator took off the lists is counted, and not listed. */
const dueOf = `
  select json_build_object(
      'articles', (select count(*) from articles where author_id = $1 and ${listed}),
      'followers', (select count(*) from followers where followee_id = $1),
      'following', (select count(*) from follows where follower_id = $1)
    ) as counts,
    array(
      select p.id from followers f join principals p on p.id = f.follower_id
      where f.followee_id = $1 and not p.deindexed
      order by p.id
    ) as followers,
    array(
      select p.id from follows f join principals p on p.id = f.followee_id
      where f.follower_id = $1 and not p.deindexed
      order by p.id
    ) as following`;

async function checkAccounts(readers: Readers, world: World, stranger: Human): Promise<void> {
  const { server } = readers;
  for (const { id } of everyone(world)) {
    for (const reader of [undefined, stranger, world.moderators[0]]) {
      const { status, body } = await read(server, `/v1/principals/${id}`, reader);
      assert.ok([200, 410].includes(status), `${status}`);
      if (status !== 200) continue;
      const [due] = await rowsOf<Due>(readers, dueOf, [id]);
      assert.deepEqual(body.counts, due?.counts, `counts of ${id}`);
      for (const side of ['followers', 'following'] as const) {
        const ids = await idsAt(server, `/v1/principals/${id}/${side}`, reader);
        assert.deepEqual(ids.toSorted(), due?.[side], `${side} of ${id}`);
      }
    }
  }
}

async function checkLists(readers: Readers, stranger: Human): Promise<void> {
  const { server } = readers;
  const rows = await rowsOf<{ id: string; title: string; status: string; is_listed: boolean }>(
    readers,
    `select a.id, c.title, a.status, ${listed} as is_listed
     from articles a
     join revisions r on r.article_id = a.id
       and r.id = coalesce(a.published_revision_id, a.latest_revision_id)
     left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
     order by a.published_at desc, a.id desc`,
  );
  const due = rows.filter((row) => row.is_listed).map(({ id }) => id);
  for (const reader of [undefined, stranger]) {
    assert.deepEqual(await idsAt(server, '/v1/feed', reader), due, 'the feed');
    assert.deepEqual((await idsAt(server, '/v1/articles', reader)).toSorted(), due.toSorted());
  }
  const trending = await idsAt(server, '/v1/feed', undefined, '?limit=100&kind=trending');
  assert.deepEqual(trending.toSorted(), due.toSorted(), 'what trends');
  const sitemap = await addressesIn(server);
  assert.deepEqual(sitemap.map((url) => url.slice(-26)).toSorted(), due.toSorted(), 'the sitemap');
  for (const { id, title, is_listed: isListed } of rows) {
    if (title === null) continue;
    const query = `/v1/search?q=${title.split(' ')[1]}`;
    const { body } = await read(server, query, undefined);
    const found = body.items.map((item: { article: { id: string } }) => item.article.id);
    assert.deepEqual(found, isListed ? [id] : [], `search for ${title}`);
  }
}

async function checkTopics(readers: Readers): Promise<void> {
  const { server } = readers;
  const { body } = await read(server, '/v1/topics?limit=100', undefined);
  for (const { slug, article_count: count } of body.items) {
    const ids = await idsAt(server, '/v1/feed', undefined, `?limit=100&topic=${slug}`);
    assert.equal(ids.length, count, `topic ${slug}`);
  }
}

/** The desk counts what the queue lists. */
async function checkDesk(readers: Readers, { moderators }: World): Promise<void> {
  for (const status of ['open', 'reviewing', 'actioned', 'rejected']) {
    const path = `/v1/moderation/reports`;
    const ids = await idsAt(readers.server, path, moderators[0], `?limit=100&status=${status}`);
    const rows = await rowsOf(readers, 'select id from reports where status = $1', [status]);
    assert.equal(ids.length, rows.length, `reports that are ${status}`);
  }
}

/** Compares what readers are told; returns how many times an article was read. */
export async function checkReaders(readers: Readers, world: World): Promise<number> {
  const stranger = await readers.server.register();
  const times = await checkArticles(readers, world, stranger);
  await checkAccounts(readers, world, stranger);
  await checkLists(readers, stranger);
  await checkTopics(readers);
  await checkDesk(readers, world);
  return times;
}
