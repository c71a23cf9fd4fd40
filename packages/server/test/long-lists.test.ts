// Lists read to their last page, up to 100,000 articles long, while others arrive and some go: no gap, no repeat.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { ordinaryScopes } from '@colophon/contract';
import { sql } from '#database';
import { subscribers } from '#test/derived-subscribers';
import { startOutbox } from '#outbox';
import { fillFeed } from '../../../bench/parts/feed-rows.ts';
import { fill } from '../../../bench/parts/fill.ts';
import { storeToken } from './accounts.ts';
import { effort } from './effort.ts';
import { startServer } from './harness.ts';
import type { Human, Response } from './harness.ts';
import { aModerator, act } from './moderators.ts';

const articles = effort(5_000, 100_000);
/** One in eleven of those that are filled in is a draft. */
const filledIn = articles * 1.1;
const authorCount = 40;
const arriving = effort(100, 1_000);
const going = effort(20, 200);
const pageSize = 100;

/** What an article is sorted by. */
interface Sorted {
  readonly id: string;
  readonly published_at: string;
}

interface Filed extends Sorted {
  readonly author_id: string;
  readonly score: number;
}

interface Page {
  readonly items: readonly Sorted[];
  /** How many had gone before it was asked for. */
  readonly gone: number;
}

/** With a pipeline of what lists need: the share images would take more than all the rest. */
const server = await startServer({ ROLE: 'web' });
const { connection, db, log } = server.services;
const pipeline = startOutbox({ connection, db, log, subscribers, concurrency: 4 });
after(async () => {
  await pipeline[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function compareDescending(left: number | string, right: number | string): number {
  if (left === right) return 0;
  return left > right ? -1 : 1;
}

const byId = (a: Sorted, b: Sorted) => compareDescending(a.id, b.id);
const byDate = (a: Sorted, b: Sorted) =>
  compareDescending(a.published_at, b.published_at) || byId(a, b);
const byScore = (a: Filed, b: Filed) => compareDescending(a.score, b.score) || byId(a, b);

/**
 * A place among `count`, each once for 0 to `count` - 1. The step shares no factor with the counts and is far from a
 * multiple of them: with 61 the 20 places came in order, in step with the reader, and whether one went first was a race.
 */
const scatter = (n: number, count: number) => (n * 37) % count;

async function fillLists(): Promise<ReadonlyMap<string, Human>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const textOf = (n: number) => ({ title: `Article ${n}`, content: 'A line.' });
    const { authors } = await fill(client, filledIn, authorCount, textOf);
    await fillFeed(client);
    const humans = await Promise.all(
      authors.map(async (id, n): Promise<[string, Human]> => {
        const token = await storeToken(server, id, ordinaryScopes);
        return [id, { id, token, username: `author-${n + 1}` }];
      }),
    );
    return new Map(humans);
  } finally {
    await client.end();
  }
}

const listFiled = () =>
  db.rows(sql<Filed>`
    select a.id, a.published_at, a.author_id, t.score
    from articles a
    join article_trends t on t.bucket = a.bucket and t.article_id = a.id
    where a.listed`);

const drafts = () =>
  db.rows(sql<Pick<Filed, 'id' | 'author_id'>>`
    select id, author_id
    from articles
    where status = 'draft'
    order by id`);

/** What happens while the lists are read: `due` starts what belongs to one page more. */
async function changeMeanwhile(authors: ReadonlyMap<string, Human>, there: readonly Filed[]) {
  const waiting = await drafts();
  const moderator = await aModerator(server);
  const people = [...authors.values()];
  const arrived = new Set<string>();
  const gone = new Map<string, number>();
  const authorOf = (one: { readonly author_id: string }) =>
    authors.get(one.author_id) ?? assert.fail('an author without a token');

  /** Every other one is a draft with an id from the middle of the list; half of both bear an old date. */
  const arrive = async (n: number) => {
    const at = scatter(n, arriving) / arriving;
    const then = there[Math.floor(at * there.length)]?.published_at;
    const published_at = n % 4 < 2 ? undefined : then;
    const draft = n % 2 === 0 ? undefined : waiting[Math.floor(at * waiting.length)];
    const author = draft ? authorOf(draft) : people[n % people.length];
    assert.ok(author);
    const id = draft?.id ?? (await server.draft(author, { language: 'en' })).id;
    arrived.add(id);
    const { status, body } = await server.ask('POST', `/v1/articles/${id}/publish`, {
      token: author.token,
      key: true,
      body: published_at === undefined ? {} : { published_at },
    });
    assert.equal(status, 200, JSON.stringify(body));
  };

  const go = async (n: number) => {
    const one = there[Math.floor((scatter(n, going) / going) * there.length)];
    assert.ok(one);
    if (n % 2 === 0) {
      const { token } = authorOf(one);
      const { status } = await server.ask('DELETE', `/v1/articles/${one.id}`, { token });
      assert.equal(status, 204);
    } else {
      await act(server, moderator, { target_type: 'article', target_id: one.id, action: 'hide' });
    }
    gone.set(one.id, gone.size);
  };

  const every = (arriving + going) / going;
  const change = (n: number) =>
    n % every === 0 ? go(n / every) : arrive(n - Math.floor(n / every) - 1);
  let [pages, started] = [0, 0];
  const due = (pagesInAll: number) => {
    pages += 1;
    const target = Math.min(arriving + going, Math.ceil(((arriving + going) * pages) / pagesInAll));
    const from = started;
    started = target;
    return Array.from({ length: target - from }, (_, n) => change(from + n));
  };
  return { arrived, gone, due, left: () => arriving + going - started };
}

type Changes = Awaited<ReturnType<typeof changeMeanwhile>>;

/** Reads a list to its end. With each page something happens, at the same time. */
async function walk(path: string, { gone, due }: Changes, pagesInAll: number): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor: string | null = null;
  do {
    const before = gone.size;
    const asked: Promise<Response> = server.ask(
      'GET',
      cursor === null ? path : `${path}&cursor=${cursor}`,
      {
        // Compressing and unpacking thousands of pages would be half of the work.
        headers: { 'accept-encoding': 'identity' },
      },
    );
    const [{ status, body }] = await Promise.all([asked, ...due(pagesInAll)]);
    assert.equal(status, 200, JSON.stringify(body));
    pages.push({ items: body.items, gone: before });
    cursor = body.next_cursor;
  } while (cursor !== null);
  return pages;
}

function assertWhole(pages: readonly Page[], sorted: readonly Filed[], { gone, arrived }: Changes) {
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
  const seen = new Set(ids);
  assert.equal(seen.size, ids.length, 'nothing comes twice');

  const stayed = sorted.filter(({ id }) => !gone.has(id)).map(({ id }) => id);
  const known = new Set(sorted.map(({ id }) => id));
  const ofStart = ids.filter((id) => known.has(id) && !gone.has(id));
  assert.equal(ofStart.length, stayed.length, 'all that was there and stayed is seen');
  const apart = stayed.findIndex((id, place) => id !== ofStart[place]);
  assert.equal(apart, -1, 'what was there and stayed is in its order');

  const stale = pages.flatMap((page) =>
    page.items.filter(({ id }) => (gone.get(id) ?? page.gone) < page.gone),
  );
  assert.deepEqual(stale, [], 'nothing is shown that was gone before the page was asked for');
  assert.deepEqual(
    ids.filter((id) => !known.has(id) && !arrived.has(id)),
    [],
    'nothing is shown that was neither there nor arrived',
  );
  // Else nothing would have been shown of what is asserted.
  assert.ok(
    [...gone.keys()].some((id) => !seen.has(id)),
    'some went before they were reached',
  );
  assert.ok(
    [...arrived].some((id) => seen.has(id)),
    'some arrived before they were reached',
  );
  assert.ok(
    [...arrived].some((id) => !seen.has(id)),
    'some arrived behind',
  );
}

function assertSorted(pages: readonly Page[], order: (a: Sorted, b: Sorted) => number) {
  const items = pages.flatMap((page) => page.items);
  const apart = items.findIndex((one, place) => order(items[place - 1] ?? one, one) > 0);
  assert.equal(apart, -1, 'what arrived is in the order too');
}

const title = `200 page by page through ${articles} while ${arriving} arrive and ${going} go: no gap, no repeat`;
// Half a minute by itself in a long run; a busy machine has much else to do.
test(title, { timeout: 900_000 }, async () => {
  const authors = await fillLists();
  const there = (await listFiled()).toSorted(byDate);
  assert.equal(there.length, articles);
  const changes = await changeMeanwhile(authors, there);
  const paths = [
    `/v1/feed?limit=${pageSize}`,
    `/v1/articles?limit=${pageSize}`,
    `/v1/feed?kind=trending&limit=${pageSize}`,
  ];
  // Some pages before the last one everything has happened, whatever went.
  const pagesInAll = (paths.length * (articles - 5 * going)) / pageSize;
  const [latest = [], list = [], trending = []] = await Promise.all(
    paths.map((path) => walk(path, changes, pagesInAll)),
  );
  assert.equal(changes.left(), 0);
  assert.equal(changes.arrived.size, arriving);
  assert.equal(changes.gone.size, going);

  assertWhole(latest, there, changes);
  assertSorted(latest, byDate);
  assertWhole(list, there.toSorted(byId), changes);
  assertSorted(list, byId);
  assertWhole(trending, there.toSorted(byScore), changes);
});
