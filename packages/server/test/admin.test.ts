// The operator's commands. Most run in this process, two as an operator runs them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { setPrincipalStatus, storeAgent } from './accounts.ts';
import { freshName, startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { operate, startAdmin } from './operator.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const admin = (...args: string[]) => operate(server, ...args);

test('grant prints one line of JSON with a token that has the named scopes, and the audit log keeps it', async () => {
  const human = await server.register();
  const { out, complaint, code } = await startAdmin(
    server,
    'grant',
    human.username.toUpperCase(),
    'admin:manage',
  ).done();
  assert.equal(code, 0, complaint);
  assert.match(complaint, /shown only once/);
  const granted = JSON.parse(out) as { principal_id: string; scopes: string[]; token: string };
  assert.equal(out.trim().split('\n').length, 1);
  assert.equal(granted.principal_id, human.id);
  assert.equal(granted.scopes.length, 14);
  const me = await server.ask('GET', '/v1/me', { token: granted.token });
  assert.deepEqual(me.body.scopes.toSorted(), granted.scopes.toSorted());
  const row = await server.db.first(sql<{ action: string; details: { scopes: string[] } }>`
    select action, details
    from audit_log
    where bucket = 0 and target_id = ${human.id}`);
  assert.equal(row?.action, 'grant');
  assert.deepEqual(row.details.scopes, ['admin:manage']);
});

test('two grants at once make one chain', async () => {
  const humans = await Promise.all([server.register(), server.register()]);
  const granted = await Promise.all(
    humans.map((human) => admin('grant', human.username, 'admin:moderate')),
  );
  assert.deepEqual(
    granted.map(({ code }) => code),
    [0, 0],
  );
  const rows = await server.db.rows(sql<{ number: number; hash: string; previous_hash: string }>`
    select number, hash, previous_hash
    from audit_log
    where bucket = 0
    order by number`);
  rows.forEach((row, index) => {
    assert.equal(row.number, index + 1);
    assert.equal(row.previous_hash, rows[index - 1]?.hash ?? '0'.repeat(64));
  });
});

test('grant refuses what it cannot do, in one sentence', async () => {
  const human = await server.register();
  const cases = [
    [['grant', freshName(), 'admin:manage'], /No account has the username/],
    [['grant', human.username, 'articles:read'], /not an admin scope/],
    [['grant', human.username], /Name the scopes/],
    [['grant'], /Name the account/],
  ] as const;
  for (const [args, sentence] of cases) {
    const { code, complaint, out } = await admin(...args);
    assert.equal(code, 1, complaint);
    assert.match(complaint, sentence);
    assert.equal(out, '');
  }
});

test('trust sets a level, says what it was, and the audit log keeps both', async () => {
  const human = await server.register();
  const { out, code } = await admin('trust', human.username, '3');
  assert.equal(code, 0);
  assert.equal(out, `${human.username}: trust level 0, now 3.\n`);
  const me = await server.ask('GET', '/v1/me', { token: human.token });
  assert.equal(me.body.principal.trust_level, 3);
  const row = await server.db.first(sql<{ actor: string; action: string; details: object }>`
    select actor, action, details
    from audit_log
    where bucket = 0 and target_id = ${human.id}`);
  assert.deepEqual(row, { actor: 'operator', action: 'trust', details: { from: 0, to: 3 } });
});

test('trust keeps agents at or below their owner', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const early = await admin('trust', agent.username, '1');
  assert.equal(early.code, 1);
  assert.match(early.complaint, /its owner has level 0/);
  assert.equal((await admin('trust', human.username, '2')).code, 0);
  assert.equal((await admin('trust', agent.username, '2')).code, 0);
  assert.equal((await admin('trust', human.username, '1')).code, 0);
  const read = await server.ask('GET', '/v1/me', { token: agent.token });
  assert.equal(read.body.principal.trust_level, 1);
});

test('trust refuses what it cannot do, in one sentence', async () => {
  const human = await server.register();
  const closed = await server.register();
  await setPrincipalStatus(server, closed.id, 'closed');
  const cases = [
    [['trust', freshName(), '1'], /No account has the username/],
    [['trust', human.username, '4'], /level from 0 to 3/],
    [['trust', human.username], /level from 0 to 3/],
    [['trust'], /Name the account/],
    [['trust', closed.username, '1'], /closed/],
  ] as const;
  for (const [args, sentence] of cases) {
    const { code, complaint, out } = await admin(...args);
    assert.equal(code, 1, complaint);
    assert.match(complaint, sentence);
    assert.equal(out, '');
  }
});

test('distribute refuses a number of shards that it cannot make, in one sentence', async () => {
  for (const shards of ['0', 'many', '4096']) {
    const { code, complaint, out } = await admin('distribute', '--shards', shards);
    assert.deepEqual([code, out], [1, '']);
    assert.equal(complaint, 'Name a number of shards from 1 to 1024: distribute --shards 32\n');
  }
});

test('suspend takes the right to write, --lift gives it back, and the audit log keeps both', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const body = { title: 'A title', content: 'Text.' };
  const statuses = async () => {
    const asked = [human, agent].map(({ token }) =>
      server.ask('POST', '/v1/articles', { token, key: true, body }),
    );
    return (await Promise.all(asked)).map(({ status }) => status);
  };
  const suspended = await admin('suspend', human.username.toUpperCase(), 'spam');
  assert.equal(suspended.code, 0, suspended.complaint);
  assert.match(suspended.out, /: suspended\. .*agents.*cannot write\.\n$/);
  assert.deepEqual(await statuses(), [403, 403]);
  const me = await server.ask('GET', '/v1/me', { token: human.token });
  assert.equal(me.body.principal.status, 'suspended');
  const told = await server.ask('GET', '/v1/events?type=moderation.action', { token: human.token });
  const [{ payload }] = told.body.items as [{ payload: Record<string, unknown> }];
  assert.deepEqual([payload['action'], payload['reason_code']], ['suspend', 'spam']);
  const lifted = await admin('suspend', '--lift', human.username);
  assert.equal(lifted.code, 0, lifted.complaint);
  assert.equal(lifted.out, `${human.username}: no longer suspended.\n`);
  assert.deepEqual(await statuses(), [201, 201]);
  const rows = await server.db.rows(sql<{ actor: string; action: string }>`
    select actor, action
    from audit_log
    where bucket = 0 and target_id = ${human.id}
    order by number`);
  assert.deepEqual(rows, [
    { actor: 'operator', action: 'suspend' },
    { actor: 'operator', action: 'restore' },
  ]);
});

test('suspend refuses what it cannot do, in one sentence, and the audit log keeps nothing', async () => {
  const human = await server.register();
  const suspended = await server.register();
  await setPrincipalStatus(server, suspended.id, 'suspended');
  const closed = await server.register();
  const orphan = await storeAgent(server, closed);
  await setPrincipalStatus(server, closed.id, 'closed');
  await setPrincipalStatus(server, orphan.id, 'suspended');
  const cases = [
    [['suspend', freshName()], /No account has the username/],
    [['suspend', suspended.username], /is already suspended/],
    [['suspend', human.username, '--lift'], /is not suspended/],
    [['suspend', closed.username], /account is closed/],
    [['suspend', orphan.username, '--lift'], /owner of .* closed their account/],
    [['suspend'], /Name one account/],
    [['suspend', '--forever', human.username], /Name one account/],
    [['suspend', human.username, suspended.username], /is not a reason code\. There are spam, /],
    [['suspend', human.username, 'spam', 'spam'], /Name one account/],
    [['suspend', suspended.username, 'spam', '--lift'], /Name one account/],
  ] as const;
  for (const [args, sentence] of cases) {
    const { code, complaint, out } = await admin(...args);
    assert.equal(code, 1, complaint);
    assert.match(complaint, sentence);
    assert.equal(out, '');
  }
  const ids = [human.id, suspended.id, closed.id, orphan.id];
  const rows = await server.db.rows(sql`
    select number from audit_log where bucket = 0 and target_id = any(${ids}) order by number`);
  assert.deepEqual(rows, []);
});

test('doctor finds all well, and says what is wrong', async () => {
  const well = await admin('doctor');
  assert.equal(well.code, 0, well.out);
  assert.match(well.out, /ok\s+database\s+PostgreSQL/);
  assert.match(well.out, /ok\s+audit log\s+colophon is a superuser and can change the audit log/);
  assert.match(well.out, /No problems found/);
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into outbox (bucket, id, type, payload, created_at)
      values (1, '01M7Z3KJBG7YHCVKQDVW6J2001', 'nobody.knows', '{}', now() - interval '1 hour')`),
  );
  const late = await admin('doctor');
  assert.equal(late.code, 1);
  assert.match(late.out, /WRONG pipeline\s+1 waiting, the oldest one for 36\d\d s/);
});

test('a process whose command fails writes one sentence and ends with 1', async () => {
  const ran = await startAdmin(server, 'trust', freshName(), '1').done();
  assert.equal(ran.code, 1);
  assert.match(ran.complaint, /^No account has the username \S+\n$/);
  assert.equal(ran.out, '');
});

test('an unknown command lists those that there are', async () => {
  const { code, complaint } = await admin('frobnicate');
  assert.equal(code, 1);
  assert.match(complaint, /grant USERNAME SCOPE/);
  assert.match(complaint, /doctor/);
});

test('an option that a command does not have is refused with those that it has', async () => {
  for (const name of ['backup', 'verify', 'restore', 'distribute', 'doctor', 'reindex']) {
    const { code, complaint } = await admin(name, '--frob');
    assert.equal(code, 1);
    assert.match(complaint, /^[^\n]*--frob[^\n]*(?:--from-start|--[a-z]+)[^\n]*\n$/, name);
    assert.doesNotMatch(complaint, /To specify/);
  }
});

test('an argument too many is refused in one sentence, and nothing is done', async () => {
  for (const args of [
    ['trust', 'nobody', '1', '2'],
    ['verify-audit', `1:${'0'.repeat(64)}`, 'more'],
    ['log', 'status', 'more'],
    ['log', 'verify', 'more'],
    ['log', 'rotate-key', '--finish', 'more'],
    ['doctor', '--release', 'more'],
    ['backup', 'one.tar', 'more'],
    ['verify', 'one.tar', 'more'],
    ['restore', 'one.tar', '--keep-media', 'more'],
    ['suspend', 'nobody', 'spam', 'more'],
    ['legal-removal', 'id', 'other', 'more'],
    ['distribute', 'more'],
    ['reindex', 'more'],
    ['grant', 'nobody', 'more'],
  ]) {
    const { out, complaint, code } = await admin(...args);
    assert.deepEqual([code, out], [1, ''], args.join(' '));
    assert.match(complaint, /^[^\n]+\n$/, args.join(' '));
    assert.doesNotMatch(complaint, /No account|No article|no article/, args.join(' '));
    if (
      args.at(-1) === 'more' &&
      !['suspend', 'grant', 'reindex', 'distribute'].includes(args[0] ?? '')
    )
      assert.match(complaint, /^more is one argument too many: /);
  }
});
