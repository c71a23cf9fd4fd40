// Events under kill -9 of servers and restarts of the database: pollers miss none, get none twice, and all in order.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, isProblem } from '@colophon/sdk';
import type { Client, Event } from '@colophon/sdk';
import pg from 'pg';
import { effort } from '../effort.ts';
import { throwAwayDatabase, until } from '../throw-away-database.ts';
import type { Clone, ThrowAway } from '../throw-away-database.ts';
import { checkInvariants } from './invariants.ts';
import { wideLimits } from './limits.ts';
import { startProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { ownPort } from '../own-port.ts';

const writers = effort(8, 12, 12);
/** One that everybody writes to, and many. */
const recipients = 1 + effort(12, 200, 30);
const eventsLeast = effort(240, 100_000, 4_000);
/** Of each server process; the database restarts after some of them. */
const killsEach = effort(1, 3, 3);
const limitMs = 300_000 + eventsLeast * 20;

interface Person {
  readonly id: string;
  readonly token: string;
}

interface Web {
  readonly baseUrl: string;
  process: ServerProcess;
}

interface Follower {
  readonly person: Person;
  readonly clients: readonly Client[];
  /** New follows that were acknowledged, by the followed. */
  readonly made: Map<string, number>;
}

let database: ThrowAway;
let clone: Clone;
let folder: string;
let limits: string;
let webs: readonly Web[];
let followers: readonly Follower[];
let hot: Person;
let people: readonly Person[];
/** Of the hot one. */
let articleId: string;
const received = new Map<string, Event[]>();
const ending = new AbortController();
let done = 0;
let stopped = false;

function startWeb(port: number): ServerProcess {
  const { host, port: socket, user, database: name } = clone.connection;
  const url = `postgres:///${name}?host=${host}&port=${socket}&user=${user}`;
  return startProcess(folder, {
    DATABASE_URL: url,
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    ROLE: 'web',
    LIMITS: limits,
  });
}

async function openWeb(): Promise<Web> {
  const port = await ownPort();
  const web = { baseUrl: `http://127.0.0.1:${port}`, process: startWeb(port) };
  await web.process.ready(web.baseUrl);
  return web;
}

const name = (index: number) =>
  `p-${[...String(index)].map((digit) => 'abcdefghkm'[+digit]).join('')}-q`;

async function register(index: number): Promise<Person> {
  const client = createClient({ baseUrl: webs[index % webs.length]?.baseUrl ?? '' });
  return client.registerHuman({ username: name(index) });
}

/** In tens: each one lasts as long as its two transactions. */
async function registerAll(count: number): Promise<Person[]> {
  const all: Person[] = [];
  while (all.length < count) {
    const some = Array.from({ length: 10 }, (_, index) => register(all.length + index));
    all.push(...(await Promise.all(some)));
  }
  return all.slice(0, count);
}

const patient = { attempts: 10_000, baseMs: 20, capMs: 200 };

const anyOf = <T>(some: readonly T[]) => some[Math.floor(Math.random() * some.length)] as T;

function acknowledge(follower: Follower, id: string): void {
  follower.made.set(id, (follower.made.get(id) ?? 0) + 1);
  done += 1;
}

/** Follows and leaves again, with one key until there is an answer. */
async function followAndLeave(follower: Follower, id: string): Promise<void> {
  const idempotencyKey = crypto.randomUUID();
  const client = anyOf(follower.clients);
  const { status } = await client.withResponse.follow({ principal_id: id }, { idempotencyKey });
  assert.equal(status, 201);
  acknowledge(follower, id);
  await anyOf(follower.clients)
    .unfollow({ followeeId: id })
    .catch((error: unknown) => {
      // An earlier attempt, whose answer was lost, has done it.
      if (!isProblem(error, 'not-found')) throw error;
    });
}

async function comment(follower: Follower): Promise<void> {
  const idempotencyKey = crypto.randomUUID();
  const input = { id: articleId, content: idempotencyKey };
  await anyOf(follower.clients).createComment(input, { idempotencyKey });
  acknowledge(follower, hot.id);
}

async function writeOn(follower: Follower): Promise<void> {
  while (!stopped) {
    const chance = Math.random();
    if (chance < 0.25) await comment(follower);
    else await followAndLeave(follower, chance < 0.5 ? hot.id : anyOf(people).id);
  }
}

async function publish({ token }: Person): Promise<string> {
  const client = createClient({ baseUrl: webs[0]?.baseUrl ?? '', token });
  const { id } = await client.createArticle({ title: 'A title', content: 'Some text.' });
  await client.publishArticle({ id });
  return id;
}

async function pollOn(person: Person, web: Web): Promise<void> {
  const mine: Event[] = [];
  received.set(person.id, mine);
  const retry = { baseMs: 20, capMs: 500 };
  const client = createClient({ baseUrl: web.baseUrl, token: person.token, retry });
  const events = client.events({ signal: ending.signal });
  try {
    for await (const event of events) mine.push(event);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  }
}

async function kill(web: Web): Promise<void> {
  web.process.kill('SIGKILL');
  await web.process.ended;
  web.process = startWeb(Number(new URL(web.baseUrl).port));
  await web.process.ready(web.baseUrl);
}

/** Lets a part of the events be written, and comes back in the middle of it. */
async function writtenUntil(part: number): Promise<void> {
  await until(`${part} of the events are written`, () => done >= eventsLeast * part, limitMs);
}

before(async () => {
  database = await throwAwayDatabase();
  clone = await database.clone();
  folder = await mkdtemp(join(tmpdir(), 'colophon-events-'));
  limits = await wideLimits(folder);
  webs = await Promise.all([openWeb(), openWeb()]);
  const all = await registerAll(recipients + writers);
  [hot, ...people] = all.slice(writers) as [Person, ...Person[]];
  articleId = await publish(hot);
  followers = all.slice(0, writers).map((person) => ({
    person,
    clients: webs.map(({ baseUrl }) =>
      createClient({ baseUrl, token: person.token, retry: patient }),
    ),
    made: new Map<string, number>(),
  }));
});

after(async () => {
  for (const web of webs) web.process.kill('SIGKILL');
  await Promise.all(webs.map((web) => web.process.ended));
  await clone[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Kills both servers in turn, and restarts the database twice, while all write and poll. */
async function breakThings(): Promise<void> {
  const victims = Array.from({ length: killsEach }, () => webs).flat();
  for (const [turn, web] of victims.entries()) {
    await writtenUntil((turn + 1) / (victims.length + 2));
    await kill(web);
    if (turn === 1 || turn === victims.length - 2) await database.restart(() => wait(200));
  }
  await writtenUntil(1);
  stopped = true;
}

interface Row {
  readonly principal_id: string;
  readonly id: string;
  readonly actor: string;
}

/** Each event of each recipient came once, in the order of the numbers, and no poll saw anything else. */
function checkReceived(written: ReadonlyMap<string, readonly Row[]>): void {
  for (const [id, mine] of received) {
    const ids = (written.get(id) ?? []).map((row) => row.id);
    assert.deepEqual(
      mine.map((event) => event.id),
      ids,
    );
    assert.deepEqual(ids, ids.toSorted(), 'ids ascend in the order of the numbers');
  }
}

/** Each acknowledged follow has one event. */
function checkWritten(written: ReadonlyMap<string, readonly Row[]>): void {
  for (const { person, made } of followers) {
    for (const [id, count] of made) {
      const own = written.get(id)?.filter((row) => row.actor === person.id);
      assert.equal(own?.length, count);
    }
  }
}

test(
  `0 lost, 0 doubled, 0 out of order, for one that ${writers} write to and ${recipients - 1} others`,
  { timeout: limitMs + 60_000 },
  async (t) => {
    const begun = performance.now();
    const polls = [hot, ...people].map((person, index) =>
      pollOn(person, webs[index % webs.length] as Web),
    );
    const lanes = Promise.all(followers.map(writeOn));
    lanes.catch(() => undefined);
    await breakThings();
    await lanes;
    const seconds = (performance.now() - begun) / 1000;

    const client = new pg.Client(clone.connection);
    await client.connect();
    const { rows } = await client.query<Row>(`
      select principal_id, id, actor_principal_id as actor
      from events
      order by principal_id, number`);
    const written = Map.groupBy(rows, (row) => row.principal_id);
    await until('the pollers have as many as there are', () =>
      [...written].every(([id, all]) => (received.get(id)?.length ?? 0) >= all.length),
    );
    ending.abort();
    await Promise.all(polls);
    checkReceived(written);
    checkWritten(written);
    assert.equal(rows.length, done);
    await checkInvariants(client);
    await client.end();
    const toOne = written.get(hot.id)?.length ?? 0;
    t.diagnostic(
      `${rows.length} events, ${toOne} of them to one, in ${Math.round(seconds)} s, over ${killsEach * webs.length} kills and 2 restarts of the database`,
    );
  },
);
