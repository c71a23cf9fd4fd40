// Who may open the moderation desk and act at it: scopes, passkey checks, forged forms, and what other pages show.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { blockedByLock } from '#test/blocked-by-lock';
import { ageCheck, deskPerson, hasForm } from '#test/desk';
import type { DeskPerson } from '#test/desk';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { pngOf, upload } from '#test/media-files';
import { act, anArticle } from '#test/moderators';
import { read, report } from '#test/reports';
import { fetchPage } from '#test/page';

let server: TestServer;
let moderator: DeskPerson;
let colleague: DeskPerson;
let reader: DeskPerson;
before(async () => {
  server = await startServer({ ROLE: 'web' });
  [moderator, colleague] = [await deskPerson(server), await deskPerson(server)];
  reader = await deskPerson(server, []);
});
after(() => server[Symbol.asyncDispose]());

const paths = [
  '/moderation',
  '/moderation/next',
  '/moderation/standing',
  '/moderation/appeals',
  '/moderation/objects',
] as const;
const administration = ['/moderation/audit', '/moderation/accounts', '/-/status'] as const;

async function statusOf(id: string): Promise<string> {
  return (await read(server, moderator.human, id)).body.status;
}

test('the desk sends strangers to sign in, and does not exist for those without the scope', async () => {
  for (const path of [...paths, ...administration]) {
    const stranger = await fetchPage(server, path);
    assert.equal(stranger.status, 303, path);
    assert.match(stranger.headers.get('location') ?? '', /\/sign-in\?next=/, path);
    assert.equal((await reader.browser.page(path)).status, 404, path);
  }
  for (const path of administration)
    assert.equal((await moderator.browser.page(path)).status, 404, path);
  assert.doesNotMatch((await moderator.browser.page('/moderation')).text, /Audit log/);
  assert.match((await moderator.browser.page('/settings')).text, /href="\/moderation"/);
  assert.doesNotMatch((await reader.browser.page('/settings')).text, /href="\/moderation"/);
});

test('a forged form of somebody without the scope is refused, and nothing changes', async () => {
  const { input } = await anArticle(server);
  const id = await report(server, { target_type: 'article', target_id: input.target_id });
  const key = 'key=0123456789abcdef';
  const sent = {
    [`/moderation?form=claim`]: `${key}&item=${id}`,
    [`/moderation/reports/${id}?form=claim`]: `${key}&item=${id}`,
    [`/moderation/reports/${id}?form=reject`]: `${key}&resolution=x`,
    [`/moderation/reports/${id}?form=act`]: `${key}&moderation_action=hide&reason_code=spam&source=report&target_type=article&target_id=${input.target_id}&report_id=${id}`,
    [`/moderation/objects/article/${input.target_id}?form=act`]: `${key}&moderation_action=hide&reason_code=spam&source=proactive&target_type=article&target_id=${input.target_id}`,
    [`/moderation/appeals/${id}?form=uphold`]: key,
    [`/moderation/appeals/${id}?form=reject`]: key,
    '/moderation/audit?form=check': key,
    '/moderation/accounts?form=trust': `${key}&item=${reader.human.id}&level=3`,
    '/moderation/accounts?form=grant': `${key}&item=${reader.human.id}&token_id=${id}&scopes=admin:manage`,
    '/moderation/accounts?form=revoke': `${key}&item=${moderator.human.id}`,
  };
  for (const [path, fields] of Object.entries(sent)) {
    const { status } = await reader.browser.sendForm(path, fields);
    assert.equal(status, 403, path);
  }
  assert.equal(await statusOf(id), 'open');
  for (const path of Object.keys(sent).filter((one) => /audit|accounts/.test(one))) {
    const { status } = await moderator.browser.sendForm(
      path,
      sent[path as keyof typeof sent] ?? '',
    );
    assert.equal(status, 403, path);
  }
  const article = await server.ask('GET', `/v1/articles/${input.target_id}`);
  assert.equal(article.status, 200);
});

test('the session alone does not open the desk: a passkey check of the last twelve hours does', async () => {
  const person = await deskPerson(server);
  await ageCheck(server, person.human, 12 * 60 + 1);
  const closed = await person.browser.page('/moderation?category=spam');
  assert.equal(closed.status, 200);
  assert.ok(hasForm(closed.text, 'enter'));
  assert.doesNotMatch(closed.text, /class="desk"/);
  const id = await report(server);
  const forged = await person.browser.sendForm(
    '/moderation?form=claim',
    `key=0123456789&item=${id}`,
  );
  assert.equal(forged.status, 403);
  assert.equal(await statusOf(id), 'open');
  const refused = await person.browser.sendForm('/moderation?form=enter', 'key=0123456789', {
    accept: 'application/json',
  });
  assert.equal(JSON.parse(refused.text).passkey_check, true);
  assert.equal((await person.browser.check(person.joined.passkey)).status, 204);
  const fields = 'key=0123456789&to=%2Fmoderation%3Fcategory%3Dspam';
  const opened = await person.browser.sendForm('/moderation?form=enter', fields);
  assert.equal(opened.status, 303);
  assert.match(opened.headers.get('location') ?? '', /\/moderation\?category=spam$/);
  const elsewhere = await person.browser.sendForm(
    '/moderation?form=enter',
    'key=0123456789&to=//evil.example',
  );
  assert.match(elsewhere.headers.get('location') ?? '', /\/moderation$/);
  assert.match((await person.browser.page('/moderation')).text, /class="desk"/);
});

test('the token of a moderator that ends closes the desk at once', async () => {
  const person = await deskPerson(server);
  assert.equal((await person.browser.page('/moderation')).status, 200);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update tokens
      set scopes = array_remove(scopes, 'admin:moderate')
      where bucket = ${bucketOf(person.human.id)} and principal_id = ${person.human.id}`),
  );
  assert.equal((await person.browser.page('/moderation')).status, 404);
});

test('the other pages of a moderator show what everybody sees: the desk lends them no scope', async () => {
  const { author } = await anArticle(server);
  const { id } = await server.draft(author);
  assert.equal((await moderator.browser.page(`/@-/${id}`)).status, 404);
  const api = await moderator.browser.ask('GET', '/-/v1/moderation/reports');
  assert.equal(api.status, 403);
});

test('a reported file is opened by a link, by those who may open the desk, and the read is recorded', async () => {
  const writer = await server.register();
  const { body: file } = await upload(server, writer, 'image', pngOf(2, 2));
  await act(server, colleague.human, { target_type: 'media', target_id: file.id, action: 'hide' });
  const id = await report(server, { target_type: 'media', target_id: file.id });
  const page = await moderator.browser.page(`/moderation/reports/${id}`);
  const path = `/-/desk/v1/media/${file.id}/content`;
  assert.ok(page.text.includes(`href="${path}"`));
  assert.equal(page.all('img').length, 0);
  assert.equal((await moderator.browser.ask('GET', path)).status, 200);
  assert.equal((await reader.browser.ask('GET', path)).status, 404);
  assert.equal((await moderator.browser.ask('GET', `/-/v1/media/${file.id}/content`)).status, 404);
  assert.equal((await server.ask('GET', path)).status, 401);
  const read = await server.db.first(sql<{ count: number }>`
    select count(*) as count from audit_log
    where bucket = 0 and actor = ${moderator.human.id} and target_id = ${file.id} and action = 'read'`);
  assert.ok((read?.count ?? 0) > 0);
});

test('a scope that is taken away in the middle of an action comes before it: 403, and nothing is done', async () => {
  const person = await deskPerson(server);
  const { input } = await anArticle(server);
  const id = bucketOf(input.target_id);
  const holding = sql`select id from articles where bucket = ${id} and id = ${input.target_id} for update`;
  const fields = `key=0123456789&moderation_action=hide&reason_code=spam&source=proactive&target_type=article&target_id=${input.target_id}`;
  const path = `/moderation/objects/article/${input.target_id}?form=act`;
  const [answer] = await blockedByLock(
    server,
    holding,
    [() => person.browser.sendForm(path, fields)],
    async () => {
      await server.db.transaction((tx) =>
        tx.run(sql`
          update tokens
          set scopes = array_remove(scopes, 'admin:moderate')
          where bucket = ${bucketOf(person.human.id)} and principal_id = ${person.human.id}`),
      );
    },
  );
  assert.equal(answer?.status, 403);
  assert.equal((await server.ask('GET', `/v1/articles/${input.target_id}`)).status, 200);
});

test('an administrator is shown without the form of an action, and a forged one is refused', async () => {
  const { id } = colleague.human;
  const filed = await report(server, { target_type: 'principal', target_id: id });
  for (const path of [`/moderation/reports/${filed}`, `/moderation/objects/principal/${id}`]) {
    const page = await moderator.browser.page(path);
    assert.match(page.text, /The account has an admin scope/);
    assert.ok(!hasForm(page.text, 'act'), path);
    const fields = `key=0123456789&moderation_action=suspend&reason_code=spam&source=proactive&target_type=principal&target_id=${id}`;
    assert.equal((await moderator.browser.sendForm(`${path}?form=act`, fields)).status, 403);
  }
});
