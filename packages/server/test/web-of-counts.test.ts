// Everybody comments, links, follows, hides and leaves at once: in the end every count is what is listed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { aModerator, askAct } from './moderators.ts';
import { closeAccount } from './closing.ts';
import { ask as askComment, askReply, comment } from './comments.ts';
import { ask as askEdge, untilSettled } from './edges.ts';
import { effort } from './effort.ts';
import type { Human, Response } from './harness.ts';
import { startScarceServer } from './limits-file.ts';

const server = await startScarceServer();
after(() => server[Symbol.asyncDispose]());

const stepsEach = effort(40, 60);

const anyOf = <T>(some: readonly T[]) => some[Math.floor(Math.random() * some.length)] as T;
const taken = <T>(some: T[]) => some.splice(Math.floor(Math.random() * some.length), 1)[0];

interface Author {
  readonly human: Human;
  readonly articleId: string;
}

async function anAuthor(): Promise<Author> {
  const human = await server.register();
  return { human, articleId: (await server.published(human)).id as string };
}

/** Everything that there is, as those know it who do something with it. */
interface World {
  readonly authors: readonly Author[];
  readonly comments: string[];
  readonly seen: Map<string, number>;
}

async function note(world: World, what: string, asked: Promise<Response>): Promise<Response> {
  const answer = await asked;
  const name = `${what} ${answer.status}`;
  world.seen.set(name, (world.seen.get(name) ?? 0) + 1);
  assert.ok(answer.status < 500, `${name}: ${JSON.stringify(answer.body)}`);
  return answer;
}

type Step = (world: World, author: Author) => Promise<unknown>;

function toAndFro(): readonly Step[] {
  const own: { comments: string[]; edges: string[] } = { comments: [], edges: [] };
  const keep = (list: string[], { status, body }: Response) => {
    if (status === 201) list.push(body.id as string);
  };
  const remove = (world: World, { human }: Author, path: string) =>
    note(world, `DELETE ${path.split('/')[2]}`, server.ask('DELETE', path, { token: human.token }));
  return [
    async (world, { human }) => {
      const made = await note(
        world,
        'comment',
        askComment(server, human, anyOf(world.authors).articleId),
      );
      for (const list of [own.comments, world.comments]) keep(list, made);
    },
    async (world, { human }) =>
      keep(
        own.comments,
        await note(world, 'reply', askReply(server, human, anyOf(world.comments))),
      ),
    async (world, author) => {
      const id = taken(own.comments);
      if (id !== undefined) await remove(world, author, `/v1/comments/${id}`);
    },
    async (world, { human, articleId }) => {
      const input = {
        src_article_id: articleId,
        dst_article_id: anyOf(world.authors.filter((one) => one.articleId !== articleId)).articleId,
        kind: anyOf(['cites', 'extends', 'reviews', 'related']),
      };
      keep(own.edges, await note(world, 'edge', askEdge(server, human, input)));
    },
    async (world, author) => {
      const id = taken(own.edges);
      if (id !== undefined) await remove(world, author, `/v1/edges/${id}`);
    },
    (world, { human }) => {
      const body = { principal_id: anyOf(world.authors).human.id };
      return note(world, 'follow', server.ask('POST', '/v1/follows', { token: human.token, body }));
    },
    (world, author) => remove(world, author, `/v1/follows/${anyOf(world.authors).human.id}`),
    (world, { human, articleId }) => {
      const body = { visibility: anyOf(['public', 'public', 'unlisted', 'private']) };
      const asked = { token: human.token, body };
      return note(world, 'visibility', server.ask('PATCH', `/v1/articles/${articleId}`, asked));
    },
  ];
}

async function live(world: World, author: Author): Promise<void> {
  const steps = toAndFro();
  for (let n = 0; n < stepsEach; n += 1) await anyOf(steps)(world, author);
}

/** Hides and shows again what there is, in any order. */
async function moderate(world: World, moderator: Human): Promise<void> {
  for (let n = 0; n < stepsEach; n += 1) {
    const target =
      n % 3 === 0
        ? ({ target_type: 'article', target_id: anyOf(world.authors).articleId } as const)
        : ({ target_type: 'comment', target_id: anyOf(world.comments) } as const);
    const action = anyOf(['hide', 'restore', 'restore'] as const);
    await note(world, action, askAct(server, moderator, { ...target, action }));
  }
}

/** Leaves in the middle of everything. */
async function leave(world: World, { human }: Author, treatment: string): Promise<void> {
  for (let n = 0; n < stepsEach / 2; n += 1)
    await note(world, 'comment', askComment(server, human, anyOf(world.authors).articleId));
  assert.equal((await closeAccount(server, human, treatment)).status, 200);
}

/** All items of a list, as a stranger reads it; undefined where there is none to read. */
async function allOf(path: string): Promise<readonly { readonly status?: string }[] | undefined> {
  const items = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const after_ = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, body } = await server.ask('GET', `${path}limit=100${after_}`);
    if (status !== 200) return undefined;
    items.push(...(body.items as { status?: string }[]));
    cursor = body.next_cursor as string | null;
  }
  return items;
}

/** Of an article that a stranger may read. */
async function assertCounted(id: string): Promise<boolean> {
  const path = `/v1/articles/${id}`;
  const { status, body } = await server.ask('GET', path);
  if (status !== 200) return false;
  const comments = await allOf(`${path}/comments?`);
  assert.deepEqual(body.counts, {
    comments: comments?.filter((one) => one.status === 'visible').length,
    edges_in: (await allOf(`${path}/edges?direction=in&`))?.length,
    edges_out: (await allOf(`${path}/edges?`))?.length,
  });
  return true;
}

async function assertFollowed(id: string): Promise<void> {
  const { status, body } = await server.ask('GET', `/v1/principals/${id}`);
  if (status !== 200) return;
  for (const side of ['followers', 'following'] as const)
    assert.equal(body.counts[side], (await allOf(`/v1/principals/${id}/${side}?`))?.length, side);
}

/** Of every article, whether anybody may read it or not. */
async function assertTrue(): Promise<void> {
  const wrong = await server.db.rows(sql`
    -- every bucket: a test
    select a.id, a.status
    from articles a
    left join (
      select bucket, article_id, sum(comments) as comments, sum(edges_in) as edges_in,
        sum(edges_out) as edges_out
      from article_count_deltas
      group by bucket, article_id
    ) as d on d.bucket = a.bucket and d.article_id = a.id
    where a.comments_count + coalesce(d.comments, 0)
        <> (select count(*) from comments c
          where c.bucket = a.bucket and c.article_id = a.id and c.status = 'visible')
      or a.edges_out_count + coalesce(d.edges_out, 0)
        <> (select count(*) from edges e where e.bucket = a.bucket and e.src_article_id = a.id)
      or a.edges_in_count + coalesce(d.edges_in, 0)
        <> (select count(*) from incoming_edges i
          where i.bucket = a.bucket and i.dst_key = a.id and i.shown)`);
  assert.deepEqual(wrong, []);
}

test(
  'comments, edges and followers are counted right after all of it at once',
  { timeout: 900_000 },
  async (t) => {
    const authors = await Promise.all(Array.from({ length: 6 }, anAuthor));
    const leaving = await Promise.all(Array.from({ length: 3 }, anAuthor));
    const moderator = await aModerator(server);
    const first = await comment(server, moderator, authors[0]?.articleId ?? '');
    const everybody = [...authors, ...leaving];
    const world: World = { authors: everybody, comments: [first.id as string], seen: new Map() };
    await Promise.all([
      ...authors.map((author) => live(world, author)),
      moderate(world, moderator),
      ...['erase', 'unpublish', 'pseudonymise'].map((treatment, at) =>
        leave(world, leaving[at] as Author, treatment),
      ),
    ]);
    await untilSettled(server);
    await assertTrue();
    // Whatever is hidden or private now comes back, and is counted as what it is.
    for (const { human, articleId } of authors) {
      const back = { target_type: 'article', target_id: articleId, action: 'restore' } as const;
      await askAct(server, moderator, back);
      const asked = { token: human.token, body: { visibility: 'public' } };
      assert.equal((await server.ask('PATCH', `/v1/articles/${articleId}`, asked)).status, 200);
    }
    await untilSettled(server);
    await assertTrue();
    let readable = 0;
    for (const { articleId, human } of everybody) {
      if (await assertCounted(articleId)) readable += 1;
      await assertFollowed(human.id);
    }
    assert.ok(readable >= authors.length, `${readable} articles are read`);
    t.diagnostic([...world.seen].map(([what, count]) => `${what}: ${count}`).join(', '));
  },
);
