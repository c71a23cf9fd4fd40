// The pages of administrators: the audit log, trust levels and scopes, the status of the service.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { storeToken } from '#test/accounts';
import { ageCheck, deskPerson, hasForm, sendShown } from '#test/desk';
import type { DeskPerson } from '#test/desk';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { operate } from '#test/operator';
import { act, anArticle } from '#test/moderators';

let server: TestServer;
let admin: DeskPerson;
before(async () => {
  server = await startServer();
  admin = await deskPerson(server, ['admin:moderate', 'admin:manage']);
});
after(() => server[Symbol.asyncDispose]());

const accountPath = ({ username }: Human) => `/moderation/accounts?username=${username}`;

async function scopesOf(human: Human): Promise<readonly string[]> {
  const rows = await server.db.rows(sql<{ scopes: readonly string[] }>`
    select scopes from tokens
    where bucket = ${bucketOf(human.id)} and principal_id = ${human.id}
    order by id`);
  return rows.flatMap(({ scopes }) => scopes);
}

test('an administrator finds an account, sets its level, adds scopes to its token and takes them away', async () => {
  const person = await server.register();
  const path = accountPath(person);
  assert.match((await admin.browser.page(path)).text, /Trust level 0/);
  assert.equal((await sendShown(admin, path, 'trust', { level: '3' })).status, 303);
  assert.match((await admin.browser.page(path)).text, /Trust level 3/);
  const token = await storeToken(server, person.id, ['articles:read']);
  const { id } = (await server.ask('GET', '/v1/me', { token })).body.token;
  const granted = await sendShown(admin, path, 'grant', { token_id: id, scopes: 'admin:moderate' });
  assert.equal(granted.status, 303, granted.text);
  assert.ok((await scopesOf(person)).includes('admin:moderate'));
  assert.match((await admin.browser.page(path)).text, /holds <code>admin:moderate/);
  assert.equal((await sendShown(admin, path, 'revoke')).status, 303);
  assert.ok(!(await scopesOf(person)).includes('admin:moderate'));
  const unknown = await admin.browser.page('/moderation/accounts?username=nobody-at-all');
  assert.match(unknown.text, /No account has this name/);
  const wrong = await admin.browser.sendForm(
    `${path}&form=grant`,
    `key=0123456789&item=${person.id}&token_id=x`,
  );
  assert.equal(wrong.status, 422);
});

test('a change of scopes or a level asks for the passkey again after ten minutes; a moderator is refused', async () => {
  const other = await deskPerson(server, ['admin:manage']);
  const person = await server.register();
  await ageCheck(server, other.human, 11);
  const path = accountPath(person);
  assert.equal((await other.browser.page(path)).status, 200);
  for (const [name, fields] of [
    ['trust', 'level=2'],
    ['grant', `token_id=${person.id}&scopes=admin:manage`],
    ['revoke', ''],
  ] as const) {
    const sent = await other.browser.sendForm(
      `${path}&form=${name}`,
      `key=0123456789&item=${person.id}&username=${person.username}&${fields}`,
      { accept: 'application/json' },
    );
    assert.equal(sent.status, 403, name);
    assert.equal(JSON.parse(sent.text).passkey_check, true, name);
  }
  await other.browser.check(other.joined.passkey);
  assert.equal((await sendShown(other, path, 'trust', { level: '2' })).status, 303);
  assert.ok(!hasForm((await other.browser.page('/moderation/audit')).text, 'grant'));
});

test('what a passkey confirms is named with its object, at each form that may ask for one', async () => {
  const person = await server.register();
  const { text } = await admin.browser.page(accountPath(person));
  const named = [...text.matchAll(/data-confirms="([^"]*)"/g)].map(([, words]) => words);
  assert.deepEqual(named, [
    `set the trust level of @${person.username} to {level}`,
    `add admin scopes to the token {token_id} of @${person.username}`,
    'open the moderation desk in this browser for 12 hours',
  ]);
  assert.match(text, />Keep the desk open for 12 hours from now</);
  assert.doesNotMatch(text, /Confirm with your passkey again/);
});

test('two at once: an administrator whose scope is taken away changes nothing afterwards', async () => {
  const other = await deskPerson(server, ['admin:manage']);
  const person = await server.register();
  assert.equal((await sendShown(admin, accountPath(other.human), 'revoke')).status, 303);
  const fields = `key=0123456789&item=${person.id}&username=${person.username}&level=3`;
  const late = await other.browser.sendForm(`${accountPath(person)}&form=trust`, fields);
  assert.equal(late.status, 403);
  const { body } = await server.ask('GET', `/v1/principals/${person.id}`);
  assert.equal(body.trust_level, 0);
});

test('the audit log: filters by name and action, every row checked, and the whole chain on request', async () => {
  const { input } = await anArticle(server);
  await act(server, admin.human, input);
  const path = `/moderation/audit?actor=${admin.human.username}&action=hide`;
  const page = await admin.browser.page(path);
  assert.equal(page.all('tbody').length, 1);
  assert.ok(page.text.includes(input.target_id));
  assert.doesNotMatch(page.text, /Altered!/);
  const none = await admin.browser.page('/moderation/audit?actor=nobody-at-all');
  assert.match(none.text, /No row of the log matches/);
  const checked = await sendShown(admin, '/moderation/audit', 'check');
  assert.equal(checked.headers.get('location'), '/moderation/audit?done=whole#done');
  // A piece goes on after the last row of the one before, and not after a row that is not there.
  const [first] = await server.db.rows(sql<{ readonly hash: string }>`
    select hash from audit_log where bucket = 0 and number = 1`);
  const goOn = { after: `1:${first?.hash}` };
  const rest = await sendShown(admin, '/moderation/audit', 'check', goOn);
  assert.equal(rest.headers.get('location'), '/moderation/audit?done=whole#done');
  const forged = await sendShown(admin, '/moderation/audit', 'check', {
    after: `1:${'0'.repeat(64)}`,
  });
  assert.equal(forged.status, 409);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update audit_log set actor = 'somebody'
      where bucket = 0 and target_id = ${input.target_id} and action = 'hide'`),
  );
  const altered = await admin.browser.page(`/moderation/audit?target_id=${input.target_id}`);
  assert.match(altered.text, /Altered!/);
  const broken = await sendShown(admin, '/moderation/audit', 'check');
  assert.equal(broken.status, 409);
  assert.match(broken.text, /The audit log is broken at row/);
});

/** A job that has failed in all its attempts; no worker knows its task. */
async function parkWith(error: string): Promise<void> {
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      select graphile_worker.add_job('article.changed:nobody', '{"id":"1","payload":{}}'::json, max_attempts := 1)`);
    await tx.run(sql`
      update graphile_worker._private_jobs
      set attempts = max_attempts, last_error = ${error}
      where task_id = (select id from graphile_worker._private_tasks where identifier = 'article.changed:nobody')`);
  });
}

test('the status repeats no secret of the settings that a stored error quotes', async () => {
  const secret = 'hunter-2-battery-of-the-status';
  process.env['METRICS_TOKEN'] = secret;
  try {
    await parkWith(`The store answered: ${secret} is not known.`);
    const page = await admin.browser.page('/-/status');
    assert.equal(page.text.split('The store answered: [redacted] is not known.').length, 3);
    assert.ok(!page.text.includes(secret));
    const { out } = await operate(server, 'doctor');
    assert.match(out, /The store answered: \[redacted\] is not known\./);
    assert.ok(!out.includes(secret));
  } finally {
    delete process.env['METRICS_TOKEN'];
  }
});

test('the status: what doctor finds, the pipeline, queues, disk and versions, as pictures with words', async () => {
  const page = await admin.browser.page('/-/status');
  assert.equal(page.status, 200);
  for (const words of ['migrations', 'PostgreSQL', 'Parked', 'Waiting', 'Open reports', 'free'])
    assert.ok(page.text.includes(words), words);
  for (const { attributes } of page.all('svg')) {
    assert.equal(attributes['role'], 'img');
    assert.ok((attributes['aria-label'] ?? '').length > 10);
  }
  const many = await Promise.all(Array.from({ length: 5 }, () => admin.browser.page('/-/status')));
  assert.ok(many.every(({ status }) => status === 200));
});
