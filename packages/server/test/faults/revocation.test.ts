// A token is revoked under load on two processes: whatever is sent once the revocation was answered is refused, everywhere.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { cloneDatabase } from '../database.ts';
import type { TestDatabase } from '../database.ts';
import { until } from '../throw-away-database.ts';
import { makePlace } from './server-process.ts';
import type { Place } from './server-process.ts';
import { post, startTwo } from './two-servers.ts';
import { effort } from '../effort.ts';

const rounds = effort(4, 200);
/** Of each round, sent once the revocation was answered. */
const sentAfter = 120;
const lateLeast = rounds * sentAfter;
const clientsPerProcess = 8;

const kinds = ['read', 'write', 'issue'] as const;
type Kind = (typeof kinds)[number];

interface Sent {
  readonly kind: Kind;
  /** Which of the two processes. */
  readonly at: number;
  /** The revocation had been answered when this was sent. */
  readonly late: boolean;
  /** Title or name of what it makes. */
  readonly mark: string;
  readonly status: number;
}

interface Account {
  readonly id: string;
  readonly token: string;
}

let place: Place;
let database: TestDatabase;
let client: pg.Client;
let bases: readonly string[];
let owner: Account;
const all: Sent[] = [];

before(async () => {
  place = await makePlace();
  database = await cloneDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  bases = await startTwo(place, database);
  const registered = await post(`${bases[0]}/v1/humans`, undefined, {
    username: 'owner-of-tokens',
  });
  assert.equal(registered.status, 201);
  owner = (await registered.json()) as Account;
});

after(async () => {
  await client.end();
  await place[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function freshToken(): Promise<Account> {
  const body = { principal_id: owner.id, name: 'to be revoked' };
  const issued = await post(`${bases[0]}/v1/tokens`, owner.token, body);
  assert.equal(issued.status, 201);
  return (await issued.json()) as Account;
}

function send(kind: Kind, base: string, token: string, mark: string): Promise<Response> {
  if (kind === 'write')
    return post(`${base}/v1/articles`, token, { title: mark, content: 'Text.' });
  if (kind === 'issue')
    return post(`${base}/v1/tokens`, token, { principal_id: owner.id, name: mark });
  return fetch(`${base}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
}

/** Clients that send with the token until enough of it was sent after the revocation. */
function startClients(token: string) {
  const sent: Sent[] = [];
  const state = { revoked: false, late: 0, inFlight: 0 };
  const work = async (at: number, number: number) => {
    for (let turn = number; state.late < sentAfter; turn += 1) {
      const kind = kinds[turn % kinds.length] ?? 'read';
      const mark = `${at}-${number}-${crypto.randomUUID()}`;
      const late = state.revoked;
      if (late) state.late += 1;
      state.inFlight += 1;
      const answer = await send(kind, bases[at] ?? '', token, mark);
      await answer.arrayBuffer();
      state.inFlight -= 1;
      sent.push({ kind, at, late, mark, status: answer.status });
    }
  };
  const finished = Promise.all(
    bases.flatMap((_, at) =>
      Array.from({ length: clientsPerProcess }, (__, number) => work(at, number)),
    ),
  );
  return { sent, state, finished };
}

async function childrenOf(tokenId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::integer as count from tokens where issuer_token_id = $1',
    [tokenId],
  );
  return rows[0]?.count ?? -1;
}

/** Accepted and under way on both processes, so that the revocation comes into the middle of it. */
function isUnderWay({ sent, state }: ReturnType<typeof startClients>): boolean {
  const accepted = bases.map((_, at) => sent.filter((one) => one.at === at && one.status < 300));
  return accepted.every(({ length }) => length >= 10) && state.inFlight > clientsPerProcess;
}

/** One token, revoked through either process, by itself or by another. */
async function revokeInTheMiddle(round: number): Promise<readonly Sent[]> {
  const { id, token } = await freshToken();
  const clients = startClients(token);
  await until('both processes are in the middle of it', () => isUnderWay(clients));
  const by = round % 4 < 2 ? owner.token : token;
  const answer = await fetch(`${bases[round % 2]}/v1/tokens/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${by}` },
  });
  clients.state.revoked = true;
  const children = childrenOf(id);
  assert.equal(answer.status, 204);
  await clients.finished;
  assert.equal(
    await childrenOf(id),
    await children,
    'no token was issued by it once its revocation was answered',
  );
  return clients.sent;
}

test(
  `of ${lateLeast} requests sent after the revocation of their token was answered, none is accepted`,
  { timeout: 900_000 },
  async (t) => {
    for (let round = 0; round < rounds; round += 1) all.push(...(await revokeInTheMiddle(round)));
    const late = all.filter((one) => one.late);
    assert.deepEqual(
      late.filter(({ status }) => status !== 401),
      [],
    );
    assert.ok(late.length >= lateLeast, `${late.length} were sent after`);
    for (const at of [0, 1]) {
      for (const kind of kinds) {
        const count = late.filter((one) => one.at === at && one.kind === kind).length;
        assert.ok(count >= lateLeast / 20, `${count} of ${kind} at ${at}`);
      }
    }
    const early = all.filter((one) => !one.late);
    const strange = early.filter(({ status }) => ![200, 201, 401].includes(status));
    assert.deepEqual(strange, [], 'what raced was done or refused, and nothing between');
    const refused = early.filter(({ status }) => status === 401).length;
    t.diagnostic(
      `${late.length} sent after ${rounds} revocations, 0 accepted; ${early.length} before, of which ${refused} came too late`,
    );
  },
);

test('what was accepted was written, and what was refused was not', async () => {
  const { rows } = await client.query<{ mark: string }>(`
    select c.title as mark from articles a
    join revisions r on r.bucket = a.bucket and r.id = a.latest_revision_id
    join contents c on c.bucket = r.bucket and c.hash = r.content_hash
    union all
    select name from tokens where issuer_token_id is not null and name <> 'to be revoked'`);
  const accepted = all.filter(({ kind, status }) => kind !== 'read' && status === 201);
  assert.ok(accepted.length > rounds * 5);
  assert.deepEqual(
    rows.map((row) => row.mark).toSorted(),
    accepted.map(({ mark }) => mark).toSorted(),
  );
});
