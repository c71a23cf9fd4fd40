// POST /v1/reports over HTTP: who may report, and that the response reveals nothing about the target.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits, reportCategories, targetTypes } from '@colophon/contract';
import { newId } from '#lib/id';
import { setPrincipalStatus, storeAgent } from '#test/accounts';
import { comment, moderate } from '#test/comments';
import { assertProblem, freshKey, startServer } from '#test/harness';
import type { Response } from '#test/harness';
import { startLimitedServer } from '#test/limits-file';
import { aRecord } from '#test/media-files';
import { assertFault, assertQuotaExceeded } from '#test/problem-checks';
import { ask, changesOf, moderator, read } from '#test/reports';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const mod = await moderator(server);

test('201 without an account: the moderators read what was written, and how to reach the writer', async () => {
  const target_id = newId(9);
  const written = {
    target_type: 'comment',
    target_id,
    category: 'abuse',
    details: 'It insults me. 🦉',
    reporter_contact: 'me@example.org',
  };
  const { status, body, headers } = await ask(server, written);
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body).toSorted(), ['created_at', 'id', 'status']);
  assert.equal(body.status, 'open');
  assert.equal(headers.get('location'), null);
  const seen = (await read(server, mod, body.id)).body;
  for (const [member, value] of Object.entries({ ...written, ...body }))
    assert.deepEqual(seen[member], value, member);
  assert.equal(seen.reporter_principal_id, null);
  assert.equal(seen.trust, 'untrusted');
  assert.deepEqual(await changesOf(server, body.id), [
    { from_status: null, to_status: 'open', moderator_id: null, resolution: null, action_id: null },
  ]);
});

test('201 with a token: the report says whose it is; Location for those who can read it', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  for (const one of [human, agent]) {
    const { body, headers } = await ask(server, {}, { token: one.token });
    assert.equal((await read(server, mod, body.id)).body.reporter_principal_id, one.id);
    assert.equal(headers.get('location'), null);
  }
  const { body, headers } = await ask(server, {}, { token: mod.token });
  const location = headers.get('location') ?? '';
  assert.equal(location, `${server.baseUrl}/v1/moderation/reports/${body.id}`);
  assert.equal((await read(server, mod, body.id)).status, 200);
});

test('201 with what may be left out left out, or null', async () => {
  for (const members of [{}, { details: null, reporter_contact: null }]) {
    const { body } = await ask(server, members);
    const seen = (await read(server, mod, body.id)).body;
    assert.deepEqual([seen.details, seen.reporter_contact], [null, null]);
  }
});

test('201 for every kind of object and every category', async () => {
  for (const target_type of targetTypes) {
    for (const category of reportCategories) {
      const { status } = await ask(server, { target_type, category });
      assert.equal(status, 201, `${target_type} ${category}`);
    }
  }
});

test('201 twice: what was reported may be reported again, by the same person too', async () => {
  const human = await server.register();
  const target = { target_id: newId(3) };
  const ids = [
    (await ask(server, target, { token: human.token })).body.id,
    (await ask(server, target, { token: human.token })).body.id,
    (await ask(server, target)).body.id,
  ];
  assert.equal(new Set(ids).size, 3);
});

test('201 again for the same key, with and without a token; a key of strangers is for their own body', async () => {
  const human = await server.register();
  for (const token of [human.token, undefined]) {
    const key = freshKey();
    const target = { target_id: newId(4) };
    const asked = { key, ...(token === undefined ? {} : { token }) };
    const first = await ask(server, target, asked);
    const again = await ask(server, target, asked);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(again.body, first.body);
  }
  const key = freshKey();
  const [mine, theirs] = [
    await ask(server, { target_id: newId(4) }, { key }),
    await ask(server, { target_id: newId(4) }, { key }),
  ];
  assert.deepEqual([mine.status, theirs.status], [201, 201]);
  assert.notEqual(mine.body.id, theirs.body.id);
});

/** Returns a response without the members that differ between reports. */
function without({ status, headers, body }: Response) {
  const fields = Object.fromEntries(headers);
  for (const name of ['date', 'x-request-id', 'content-length']) delete fields[name];
  return { status, fields, members: Object.keys(body).toSorted(), state: body.status };
}

test('201 alike for what is there, what is hidden and what never was', async () => {
  const author = await server.register();
  const open = await server.published(author);
  const hidden = await comment(server, author, open.id);
  await moderate(server, hidden.id, { status: 'hidden' });
  const closed = await server.register();
  await setPrincipalStatus(server, closed.id, 'closed');
  const answers = await Promise.all(
    (
      [
        ['article', open.id],
        ['article', (await server.published(author, { visibility: 'private' })).id],
        ['article', (await server.draft(author)).id],
        ['article', newId(12)],
        ['article', 'Z'.repeat(26)],
        ['comment', hidden.id],
        ['comment', newId(12)],
        ['comment', open.id],
        ['principal', closed.id],
        ['principal', newId(12)],
        ['media', (await aRecord(server, author, 'image')).id],
        ['media', newId(12)],
      ] as const
    ).map(([target_type, target_id]) => ask(server, { target_type, target_id })),
  );
  const [first, ...others] = answers.map(without);
  assert.equal(first?.status, 201);
  for (const other of others) assert.deepEqual(other, first);
});

test('401 unauthenticated: an invalid token is not ignored', async () => {
  assertProblem(await ask(server, {}, { token: 'bad' }), 'unauthenticated');
});

test('403 forbidden: a suspended account, which may report without its token', async () => {
  const human = await server.register();
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await ask(server, {}, { token: human.token }), 'forbidden');
  assert.equal((await ask(server)).status, 201);
});

test('404 not-found: a reporter cannot read the report, with the id or without', async () => {
  const human = await server.register();
  const { body } = await ask(server, {}, { token: human.token });
  for (const path of ['/v1/reports', `/v1/reports/${body.id}`])
    assertProblem(await server.ask('GET', path, { token: human.token }), 'not-found');
  assertProblem(await read(server, human, body.id), 'insufficient-scope');
});

test('422 validation-failed: malformed ids', async () => {
  for (const wrong of [
    '',
    'x',
    newId(1).toLowerCase(),
    `${newId(1)}0`,
    `${newId(1).slice(0, 25)}I`,
    'A'.repeat(limits.report_target_id_max),
    'A'.repeat(limits.report_target_id_max + 1),
    '../../etc/passwd',
    '🦉'.repeat(26),
  ])
    assertFault(await ask(server, { target_id: wrong }), '/target_id');
  assertFault(await ask(server, { target_id: null }), '/target_id', 'type');
});

test('422 validation-failed: unknown kinds and categories are answered with the known ones', async () => {
  const type = assertFault(await ask(server, { target_type: 'token' }), '/target_type', 'enum');
  assert.deepEqual(type.allowed_values, targetTypes);
  const category = assertFault(await ask(server, { category: 'rude' }), '/category', 'enum');
  assert.deepEqual(category.allowed_values, reportCategories);
});

test('422 validation-failed: one character too many, and 201 with as many as there may be', async () => {
  for (const [member, most] of [
    ['details', limits.report_details_max],
    ['reporter_contact', limits.reporter_contact_max],
  ] as const) {
    assert.equal((await ask(server, { [member]: '🦉'.repeat(most) })).status, 201);
    assertFault(await ask(server, { [member]: '🦉'.repeat(most + 1) }), `/${member}`);
  }
});

test('422 validation-failed: missing and unknown members, all at once', async () => {
  const refused = await server.ask('POST', '/v1/reports', { body: { status: 'actioned' } });
  for (const member of ['target_type', 'target_id', 'category', 'status'])
    assertFault(refused, `/${member}`);
});

test('422 validation-failed: a token of this service in the details', async () => {
  const human = await server.register();
  const refused = await ask(server, { details: `It says ${human.token}` });
  assertFault(refused, '/details', 'own-token');
});

const most = 4;
const rates = { anonymous_reports_per_hour: most, writes_per_minute: 8 };
const limited = await startLimitedServer({ rates }, { TRUSTED_PROXIES: '127.0.0.1' });
after(() => limited[Symbol.asyncDispose]());
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

test('429 rate-limited: so many in an hour from one address, whatever they are on', async () => {
  const here = from('203.0.113.1');
  const first = await ask(limited, {}, here);
  assert.equal(first.headers.get('ratelimit-policy'), `"anonymous-reports";q=${most};w=3600`);
  assert.equal(first.headers.get('ratelimit'), `"anonymous-reports";r=${most - 1};t=3600`);
  assertFault(await ask(limited, { category: 'rude' }, here), '/category');
  const author = await limited.register();
  const { id } = await limited.published(author);
  assert.equal((await ask(limited, { target_id: id }, here)).status, 201);
  assert.equal((await ask(limited, {}, here)).status, 201);
  for (const target_id of [id, newId(4), 'none']) {
    const refused = await ask(limited, { target_id }, here);
    assertProblem(refused, 'rate-limited');
    assert.ok(refused.body.retry_after_seconds > 600);
    assert.match(refused.body.detail, /anonymous reports/);
  }
  assert.equal((await ask(limited, {}, from('203.0.113.2'))).status, 201);
});

test('201 with a token from an address that is at its limit: an account’s reports are its writes', async () => {
  const here = from('203.0.113.3');
  for (let n = 0; n < most; n += 1) assert.equal((await ask(limited, {}, here)).status, 201);
  assertProblem(await ask(limited, {}, here), 'rate-limited');
  const human = await limited.register();
  const made = await ask(limited, {}, { ...here, token: human.token });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('ratelimit-policy'), '"writes";q=8;w=60');
});

test('anonymous reports are counted apart from other writes without a token', async () => {
  const here = from('203.0.113.4');
  for (let n = 0; n < most; n += 1) await ask(limited, {}, here);
  assertProblem(await ask(limited, {}, here), 'rate-limited');
  const refused = await limited.ask('POST', '/v1/articles', { ...here, body: {} });
  assertProblem(refused, 'unauthenticated');
});

test('429 quota-exceeded: so many in an hour of one account with its agents; a replay costs nothing', async () => {
  const scarce = 3;
  await using strict = await startLimitedServer({
    quotas: { 'reports.create': [scarce, 10, 10, 10] },
  });
  const [human, other] = [await strict.register(), await strict.register()];
  const agent = await storeAgent(strict, human);
  const first = { token: human.token, key: freshKey() };
  const target_id = newId(6);
  for (let n = 0; n < scarce; n += 1)
    assert.equal((await ask(strict, { target_id }, first)).status, 201);
  assertFault(await ask(strict, { category: 'rude' }, { token: human.token }), '/category');
  for (const { token } of [human, agent])
    assert.equal((await ask(strict, { target_id }, { token })).status, 201);
  for (const { token } of [human, agent])
    assertQuotaExceeded(await ask(strict, {}, { token }), 'reports.create', scarce);
  assert.equal((await ask(strict, { target_id }, first)).status, 201);
  for (const token of [other.token, undefined])
    assert.equal((await ask(strict, {}, { ...(token && { token }) })).status, 201);
});
