// Random writes on few articles and files while the worker is killed and started: what is derived is what a rebuild makes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { createAgent } from '../agents.ts';
import { assertSame, databaseUrlOf, rebuildDerived, snapshotOf } from '../derived-tables.ts';
import { rareWord } from '../discovery-words.ts';
import { untilSettled } from '../edges.ts';
import { effort } from '../effort.ts';
import { startServer } from '../harness.ts';
import type { Human, Response, TestServer } from '../harness.ts';
import { pngOfLength } from '../media-files.ts';
import { aModerator } from '../moderators.ts';
import { startProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { randomFrom, seed } from '../seed.ts';

const operations = effort(100, 2_000);
const lanes = 6;
const restartsMost = effort(2, 1_000);
const articlesMost = 20;
const patienceMs = 600_000;

const random = randomFrom(seed);
const below = (most: number) => Math.floor(random() * most);
const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;

interface Work {
  readonly id: string;
  readonly author: Human;
  /** Of every text that it ever had: none may be left of one that is erased. */
  readonly words: string[];
}

let server: TestServer;
let owner: pg.Client;
let people: readonly Human[];
let moderator: Human;
const workers: ServerProcess[] = [];
const works: Work[] = [];
const erased: Work[] = [];
const comments: { readonly id: string; readonly author: Human }[] = [];
const files: { readonly id: string; readonly author: Human }[] = [];
let count = 0;

before(async () => {
  server = await startServer({ ROLE: 'web' });
  owner = new pg.Client(server.services.connection);
  await owner.connect();
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => server.register()));
  people = [one, two, three, await createAgent(server, one as Human)] as Human[];
  moderator = await aModerator(server);
});
after(async () => {
  await killAll();
  await owner.end();
  await server[Symbol.asyncDispose]();
});

function startWorker(): ServerProcess {
  const { dataDir, baseUrl } = server.services.config;
  return startProcess(dataDir, {
    ROLE: 'worker',
    LIMITS: 'off',
    DATA_DIR: dataDir,
    BASE_URL: baseUrl,
    DATABASE_URL: databaseUrlOf(server),
  });
}

async function killAll(): Promise<void> {
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all(workers.map(({ ended }) => ended));
}

/** Any refusal will do: several lanes act on the same things. No answer is an error of the server. */
async function ask(method: string, path: string, who: Human, body?: unknown): Promise<Response> {
  const asked = { token: who.token, key: true, ...(body === undefined ? {} : { body }) } as const;
  const response = await server.ask(method, path, asked);
  assert.ok(response.status < 500, `${method} ${path}: ${JSON.stringify(response.body)}`);
  return response;
}

function textOf(words: string[]) {
  count += 1;
  const [title, content] = [rareWord(`title ${count} ${seed}`), rareWord(`text ${count} ${seed}`)];
  words.push(title, content);
  return {
    title: `On ${title} ${pick(['hedgehogs', 'porcupines', 'badgers', 'moles'])}`,
    content: `What ${content} did on day ${count}.`,
    metadata: { topics: [`Topic ${below(4)}`, `Late ${below(3)}`] },
  };
}

async function create(): Promise<void> {
  if (works.length >= articlesMost) return revise();
  const words: string[] = [];
  const author = pick(people);
  const { status, body } = await ask('POST', '/v1/articles', author, textOf(words));
  assert.equal(status, 201, JSON.stringify(body));
  works.push({ id: body.id as string, author, words });
  await ask('POST', `/v1/articles/${body.id}/publish`, author, {});
}

async function revise(): Promise<void> {
  const work = pick(works);
  if (work === undefined) return;
  const latest = await server.ask('GET', `/v1/articles/${work.id}/revisions`, {
    token: work.author.token,
  });
  const revision = latest.body.items?.[0]?.revision_id ?? latest.body.items?.[0]?.id;
  if (revision === undefined) return;
  const body = { ...textOf(work.words), expected_revision_id: revision };
  await ask('POST', `/v1/articles/${work.id}/revisions`, work.author, body);
  await ask('POST', `/v1/articles/${work.id}/publish`, work.author, {});
}

async function show(): Promise<void> {
  const work = pick(works);
  const visibility = pick(['public', 'unlisted', 'private', 'public']);
  const body = random() < 0.3 ? { language: pick(['en', 'de', 'und']) } : { visibility };
  if (work !== undefined) await ask('PATCH', `/v1/articles/${work.id}`, work.author, body);
}

async function takeAway(): Promise<void> {
  const work = pick(works);
  if (work === undefined || random() < 0.5) return;
  if (random() < 0.4) return void (await ask('DELETE', `/v1/articles/${work.id}`, work.author));
  const path = `/v1/articles/${work.id}/erase`;
  const { status } = await ask('POST', path, work.author, { confirm: 'erase' });
  if (status !== 200) return;
  erased.push(work);
  const place = works.indexOf(work);
  if (place >= 0) works.splice(place, 1);
}

async function moderate(): Promise<void> {
  const [type, target] = pick([
    ['article', pick(works)],
    ['comment', pick(comments)],
    ['media', pick(files)],
  ] as const);
  if (target === undefined) return;
  await ask('POST', '/v1/moderation/actions', moderator, {
    target_type: type,
    target_id: target.id,
    action: pick(['hide', 'restore', 'restore', 'remove', 'deindex']),
    reason_code: 'spam',
    source: 'proactive',
  });
}

async function converse(): Promise<void> {
  const [work, author] = [pick(works), pick(people)];
  if (work === undefined) return;
  const path = `/v1/articles/${work.id}/comments`;
  const made = await ask('POST', path, author, { content: `A remark on moles ${below(9)}.` });
  if (made.status === 201) comments.push({ id: made.body.id as string, author });
  const old = pick(comments);
  if (old !== undefined && random() < 0.4)
    await ask('DELETE', `/v1/comments/${old.id}`, old.author);
}

async function relate(): Promise<void> {
  const [one, other] = [pick(people), pick(people)];
  if (random() < 0.5) await ask('POST', '/v1/follows', one, { principal_id: other.id });
  else await ask('DELETE', `/v1/follows/${other.id}`, one);
  const [from, to] = [pick(works), pick(works)];
  if (from === undefined || to === undefined) return;
  const edge = { kind: 'cites', src_article_id: from.id, dst_article_id: to.id };
  const made = await ask('POST', '/v1/edges', from.author, edge);
  if (made.status === 201 && random() < 0.4)
    await ask('DELETE', `/v1/edges/${made.body.id}`, from.author);
  await ask('PATCH', `/v1/principals/${one.id}`, one, { display_name: `Person ${below(99)}` });
}

async function store(): Promise<void> {
  const author = pick(people);
  const made = await ask('POST', '/v1/media', author, { kind: 'image' });
  const bytes =
    random() < 0.2 ? Buffer.from('no image at all') : pngOfLength(pick([200, 300, 300, 777]));
  const put = async () => {
    const { status } = await server.ask('PUT', `/v1/media/${made.body.id}/content`, {
      token: author.token,
      raw: bytes,
      headers: { 'content-type': 'image/png' },
    });
    assert.ok(status < 500, `upload: ${status}`);
  };
  await Promise.all(random() < 0.3 ? [put(), put()] : [put()]);
  files.push({ id: made.body.id as string, author });
  const old = pick(files);
  if (random() < 0.6) await ask('DELETE', `/v1/media/${old.id}`, old.author);
}

const steps = [create, revise, revise, show, show, takeAway, moderate, moderate, converse, relate];

async function lane(): Promise<void> {
  while (count < operations) {
    count += 1;
    const step = random() < 0.1 ? store : pick(steps);
    await step();
  }
}

/** Kills or stops one of the workers now and then, until it is told to stop; answers how often. */
function restart() {
  let stopped = false;
  let times = 0;
  const whole = (async () => {
    while (!stopped && times < restartsMost) {
      const place = below(workers.length);
      // The time at which it happens is what is random here.
      await wait(300 + below(1_500));
      if (stopped) return;
      const worker = workers[place] as ServerProcess;
      worker.kill(random() < 0.7 ? 'SIGKILL' : 'SIGTERM');
      await worker.ended;
      workers[place] = startWorker();
      times += 1;
    }
  })();
  return async () => {
    stopped = true;
    await whole;
    return times;
  };
}

async function rowsOf<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
  return (await owner.query<R>(text, values)).rows;
}

test(`${operations} writes by ${lanes} at once, seed ${seed}`, { timeout: 900_000 }, async (t) => {
  workers.push(startWorker(), startWorker());
  const stop = restart();
  await create();
  await Promise.all(Array.from({ length: lanes }, lane));
  const times = await stop();
  await killAll();
  for (const place of workers.keys()) workers[place] = startWorker();
  await untilSettled(server, patienceMs);
  t.diagnostic(`${count} operations, ${times} restarts, ${erased.length} erased`);

  const derived = await snapshotOf(owner);
  await rebuildDerived(server);
  assertSame(derived, await snapshotOf(owner));

  const words = erased.flatMap((work) => work.words);
  for (const [table, column] of [
    ['contents', "title || ' ' || content"],
    ['renderings', 'html'],
    ['article_search', 'document::text'],
    ['search_words', 'word'],
  ] as const) {
    const text = `select count(*)::int as left from ${table} where ${column} ~ $1`;
    assert.deepEqual(await rowsOf(text, [words.join('|') || 'none']), [{ left: 0 }], table);
  }
  const ids = erased.map(({ id }) => id);
  for (const table of ['article_search', 'sitemap_entries', 'og_images', 'article_trends']) {
    const text = `select count(*)::int as left from ${table} where article_id = any($1)`;
    assert.deepEqual(await rowsOf(text, [ids]), [{ left: 0 }], table);
  }

  const wrong = await rowsOf(`
    with held as (
      select m.bucket, coalesce(p.owner_principal_id, p.id) as id, sum(m.byte_size)::bigint as bytes
      from media m join principals p on p.bucket = m.bucket and p.id = m.owner_principal_id
      where m.held_checksum is not null
      group by 1, 2
    )
    select q.principal_id, q.used, held.bytes
    from held
    full join (select * from quota_uses where action = 'media.total_bytes') q
      on q.bucket = held.bucket and q.principal_id = held.id
    where coalesce(q.used, 0) <> coalesce(held.bytes, 0)`);
  assert.deepEqual(wrong, []);
  const holders = await rowsOf(`
    select b.checksum
    from blobs b
    where b.holders <> (
      select count(*) from media m where m.bucket = b.bucket and m.held_checksum = b.checksum
    )`);
  assert.deepEqual(holders, []);
  const parked =
    'select last_error from graphile_worker._private_jobs where attempts >= max_attempts';
  assert.deepEqual(await rowsOf(parked), []);
});
