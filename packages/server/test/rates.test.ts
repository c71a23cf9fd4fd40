// Short-window limits over HTTP: what is counted for whom, in which order, and what is told.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setPrincipalStatus, storeAgent, storeToken } from './accounts.ts';
import { assertProblem, freshName, startServer } from './harness.ts';
import type { Asked, Response, TestServer } from './harness.ts';
import { startLimitedServer } from './limits-file.ts';
import { pngOfLength, upload } from './media-files.ts';
import { startRedis, withoutRedis } from './redis.ts';
import { stillClock } from './still-clock.ts';

// A bucket gets one back every 60 s / limit, and a busy machine may take longer for the requests of a test.
const clock = stillClock();

const reads = 10;
const writes = 6;
const registrations = 6;
const shared = 20; // of two servers on one Redis
const rates = {
  reads_per_minute: reads,
  writes_per_minute: writes,
  registrations_per_hour: registrations,
};

const server = await startLimitedServer({ rates }, { TRUSTED_PROXIES: '127.0.0.1, ::1' });
after(() => server[Symbol.asyncDispose]());

let addresses = 0;
/** Headers that come from an address that the service does not know. */
function elsewhere(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `203.0.${addresses >> 8}.${addresses & 255}` };
}

function register(asked: Asked = { headers: elsewhere() }, on = server) {
  return on.ask('POST', '/v1/humans', { ...asked, body: { username: freshName() } });
}

/** Asks again and again until it is refused; how often it was not. */
async function drain(ask: () => Promise<Response>): Promise<number> {
  for (let count = 0; ; count += 1) {
    const response = await ask();
    if (response.status === 429) {
      assertProblem(response, 'rate-limited');
      return count;
    }
    assert.ok(count < 100, 'never refused');
  }
}

const readMeta = (headers: Record<string, string>, on: TestServer = server) =>
  on.ask('GET', '/v1/meta', { headers });
const readMe = (token: string, headers = elsewhere()) =>
  server.ask('GET', '/v1/me', { token, headers });
const limitOf = ({ headers }: Response) => headers.get('ratelimit');
const policyOf = ({ headers }: Response) => headers.get('ratelimit-policy');

test('every answer tells the policy and what is left of it, 304, problems and HEAD too', async () => {
  const headers = elsewhere();
  const first = await readMeta(headers);
  assert.equal(policyOf(first), `"reads";q=${reads};w=60`);
  assert.equal(limitOf(first), `"reads";r=${reads - 1};t=60`);
  const tag = first.headers.get('etag') ?? '';
  const answers = [
    await server.ask('HEAD', '/v1/meta', { headers }),
    await readMeta({ ...headers, 'if-none-match': tag }),
    await server.ask('GET', '/v1/meta?x=1', { headers }),
    await server.ask('GET', '/v1/me', { headers }),
    await server.ask('GET', `/v1/articles/${'0'.repeat(26)}`, { headers }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 304, 400, 401, 404],
  );
  answers.forEach((answer, n) => {
    assert.equal(limitOf(answer), `"reads";r=${reads - 2 - n};t=60`);
    assert.equal(policyOf(answer), policyOf(first));
  });
});

test('429 rate-limited with the wait in three places, and admitted after it', async () => {
  // One comes back every two seconds.
  const quick = 30;
  await using on = await startLimitedServer({ rates: { ...rates, reads_per_minute: quick } });
  let [admitted, refused] = [0, await readMeta({}, on)];
  for (; refused.status !== 429; admitted += 1) refused = await readMeta({}, on);
  assert.equal(admitted, quick);
  const wait = refused.body.retry_after_seconds as number;
  assert.ok(wait >= 1 && wait <= 60 / quick, String(wait));
  assert.equal(refused.headers.get('retry-after'), String(wait));
  assert.equal(limitOf(refused), `"reads";r=0;t=${wait}`);
  assert.equal(policyOf(refused), `"reads";q=${quick};w=60`);
  assert.match(refused.body.detail, /Your network address.*reads.*Wait \d s/);
  clock.moveMs(wait * 1_000);
  assert.equal((await readMeta({}, on)).status, 200);
});

test('reads and writes are counted apart', async () => {
  const human = (await register()).body;
  const revoke = () =>
    server.ask('DELETE', `/v1/tokens/${'0'.repeat(26)}`, {
      token: human.token,
      headers: elsewhere(),
    });
  assert.equal(await drain(revoke), writes);
  assert.equal(limitOf(await readMe(human.token)), `"reads";r=${reads - 1};t=60`);
});

test('all tokens of a person and of their agents draw on one bucket; no one else does', async () => {
  const human = (await register()).body;
  const other = (await register()).body;
  const agent = await storeAgent(server, human);
  const spare = await storeToken(server, human.id, []);
  const tokens = [human.token, agent.token, spare];
  let turn = 0;
  const next = () => tokens[turn++ % tokens.length] ?? '';
  assert.equal(await drain(() => readMe(next())), reads);
  for (const token of tokens) {
    const refused = await readMe(token);
    assertProblem(refused, 'rate-limited');
    assert.match(refused.body.detail, /This account and its agents/);
  }
  assert.equal((await readMe(other.token)).status, 200);
});

test('an owner is counted wherever the requests come from, and not for the address', async () => {
  const human = (await register()).body;
  const headers = elsewhere();
  assert.equal(await drain(() => readMe(human.token, headers)), reads);
  assert.equal((await readMeta(headers)).status, 200);
});

test('the parallel requests of one address are admitted exactly as often as the limit says', async () => {
  const headers = elsewhere();
  const answers = await Promise.all(Array.from({ length: reads + 20 }, () => readMeta(headers)));
  const admitted = answers.filter(({ status }) => status === 200).length;
  assert.equal(admitted, reads);
});

test('registrations are counted by address, with a token or without, and apart from writes', async () => {
  const headers = elsewhere();
  const first = await register({ headers });
  assert.equal(policyOf(first), `"registrations";q=${registrations};w=3600`);
  const second = await register({ headers, token: first.body.token });
  assert.equal(second.status, 201);
  assert.equal(
    policyOf(second),
    `"registrations";q=${registrations};w=3600, "writes";q=${writes};w=60`,
  );
  assert.equal(
    limitOf(second),
    `"registrations";r=${registrations - 2};t=3600, "writes";r=${writes - 1};t=60`,
  );
  assert.equal(await drain(() => register({ headers })), registrations - 2);
  const refused = await register({ headers, token: first.body.token });
  assertProblem(refused, 'rate-limited');
  assert.ok(refused.body.retry_after_seconds > 500);
  assert.equal((await register()).status, 201);
});

test('a registration that is refused counts too', async () => {
  const headers = elsewhere();
  const wrong = () => server.ask('POST', '/v1/humans', { headers, body: { username: '!' } });
  assert.equal(await drain(wrong), registrations);
});

test('two addresses of one IPv6 /64 are one, those of another are not', async () => {
  const from = (address: string) => readMeta({ 'x-forwarded-for': address });
  assert.equal(await drain(() => from('2001:db8:7:1::1')), reads);
  assertProblem(await from('2001:db8:7:1:ffff:ffff:ffff:ffff'), 'rate-limited');
  assert.equal((await from('2001:db8:7:2::1')).status, 200);
});

test('without TRUSTED_PROXIES a forwarding header changes nothing', async () => {
  await using plain = await startLimitedServer({ rates });
  assert.equal(await drain(() => readMeta(elsewhere(), plain)), reads);
});

test('the order: address, token, owner, state of the account, scope; the suspended are counted too', async () => {
  const headers = elsewhere();
  await drain(() => readMeta(headers));
  assertProblem(await server.ask('GET', '/v1/me', { headers }), 'rate-limited');
  assertProblem(await readMe('bad', headers), 'unauthenticated');

  const human = (await register()).body;
  const bare = await storeToken(server, human.id, []);
  const draft = () =>
    server.ask('POST', '/v1/articles', { token: bare, headers: elsewhere(), raw: '{' });
  assertProblem(await draft(), 'insufficient-scope');
  assert.equal(await drain(draft), writes - 1);
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await draft(), 'rate-limited');
});

test('bad tokens are counted for their address; then no token from there is looked up', async () => {
  const human = (await register()).body;
  const headers = elsewhere();
  const first = await readMe(`${human.token.slice(0, -1)}U`, headers);
  assertProblem(first, 'unauthenticated');
  assert.equal(limitOf(first), `"bad-tokens";r=${reads - 1};t=60`);
  assert.equal(await drain(() => readMe('bad', headers)), reads - 1);
  assertProblem(await readMe(human.token, headers), 'rate-limited');
  assert.equal((await readMeta(headers)).status, 200);
  assert.equal((await readMe(human.token)).status, 200);
});

test('neither what is told from memory nor what does not exist is counted', async () => {
  const headers = elsewhere();
  await drain(() => readMeta(headers));
  for (const [method, path] of [
    ['GET', '/healthz'],
    ['GET', '/v1/openapi.json'],
    ['GET', '/v1/nothing'],
    ['GET', '/errors/rate-limited'],
    ['OPTIONS', '/v1/meta'],
  ] as const) {
    const answer = await server.ask(method, path, { headers });
    assert.notEqual(answer.status, 429, path);
    assert.equal(limitOf(answer), null, path);
  }
});

test('a long answer counts once more for each 512 KiB of it; HEAD and 304 have none', async () => {
  const human = (await register()).body;
  const headers = elsewhere();
  const long = { content: 'x'.repeat(1_048_500), language: 'en' };
  const { id } = await server.published(human, long);
  const path = `/v1/articles/${id}`;
  const first = await server.ask('GET', path, { headers });
  assert.ok(first.status === 200 && first.body.content.length > 1_048_000);
  assert.equal(limitOf(await readMeta(headers)), `"reads";r=${reads - 4};t=60`);
  await server.ask('HEAD', path, { headers });
  const known = { ...headers, 'if-none-match': first.headers.get('etag') ?? '' };
  assert.equal((await server.ask('GET', path, { headers: known })).status, 304);
  assert.equal(limitOf(await readMeta(headers)), `"reads";r=${reads - 7};t=60`);
  // The account pays for what it reads with a token.
  const asked = { token: human.token, headers };
  const before = Number(/r=(\d+)/.exec(limitOf(await readMe(human.token)) ?? '')?.[1]);
  await server.ask('GET', path, asked);
  assert.equal(limitOf(await readMe(human.token)), `"reads";r=${before - 4};t=60`);
});

test('of a file, what was written counts', async () => {
  const human = (await register()).body;
  const headers = elsewhere();
  const { body } = await upload(server, human, 'image', pngOfLength(1_600_000));
  const path = `/media/${body.id}`;
  const read = async (range: string) => {
    const answer = await fetch(server.baseUrl + path, { headers: { ...headers, range } });
    return (await answer.arrayBuffer()).byteLength;
  };
  assert.equal((await server.ask('HEAD', path, { headers })).status, 200);
  assert.equal(limitOf(await readMeta(headers)), `"reads";r=${reads - 2};t=60`);
  assert.equal(await read('bytes=0-599999'), 600_000);
  assert.equal(limitOf(await readMeta(headers)), `"reads";r=${reads - 5};t=60`);
  assert.equal(await read('bytes=0-99'), 100);
  assert.equal(limitOf(await readMeta(headers)), `"reads";r=${reads - 7};t=60`);
});

test('LIMITS=off: no fields, and nothing is refused', async () => {
  await using free = await startServer();
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) => readMeta({ 'x-forwarded-for': `::${n}` }, free)),
  );
  for (const answer of answers) {
    assert.deepEqual([answer.status, limitOf(answer), policyOf(answer)], [200, null, null]);
  }
});

test('with REDIS_URL two servers admit together what one would; without Redis each by itself', async (t) => {
  if (withoutRedis !== false) return t.skip(withoutRedis);
  await using redis = await startRedis();
  const settings = { REDIS_URL: redis.url, TRUSTED_PROXIES: '127.0.0.1' };
  const wide = { rates: { ...rates, reads_per_minute: shared } };
  await using one = await startLimitedServer(wide, settings);
  await using two = await startLimitedServer(wide, settings);
  for (const on of [one, two]) {
    // Connecting takes a moment, in which each counts by itself.
    for (let reached = false; !reached;) {
      await readMeta(elsewhere(), on);
      reached = (await redis.keys()).some((key) =>
        key.endsWith(`203.0.${addresses >> 8}.${addresses & 255}`),
      );
    }
  }
  const headers = elsewhere();
  const answers = await Promise.all(
    Array.from({ length: 2 * shared }, (_, n) => readMeta(headers, n % 2 === 0 ? one : two)),
  );
  const admitted = answers.filter(({ status }) => status === 200).length;
  assert.ok(admitted === shared || admitted === shared + 1, String(admitted));

  await redis.kill();
  const after = await Promise.all(
    Array.from({ length: 3 * shared }, (_, n) => readMeta(headers, n % 2 === 0 ? one : two)),
  );
  assert.ok(after.every(({ status }) => status === 200 || status === 429));
  const alone = after.filter(({ status }) => status === 200).length;
  assert.equal(alone, 2 * shared);
});
