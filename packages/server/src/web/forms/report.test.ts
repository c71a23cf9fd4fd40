// The form of reports: with and without an account, for every kind of object, refused, without an oracle.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { newId } from '#lib/id';
import { untilWaiting } from '#test/blocked-by-lock';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { startLimitedServer } from '#test/limits-file';
import { pngOf, upload } from '#test/media-files';
import { fetchPage } from '#test/page';
import { openBrowser } from '#test/web-session';

let server: TestServer;
let author: Human;
before(async () => {
  server = await startServer({ ROLE: 'web' });
  author = await server.register();
});
after(() => server[Symbol.asyncDispose]());

const fields = (members: Readonly<Record<string, string>>) =>
  new URLSearchParams({ key: 'key-of-the-form', ...members }).toString();

const pathOf = (type: string, id: string) => `/report?type=${type}&id=${id}`;

interface ReportRow {
  readonly category: string;
  readonly details: string | null;
  readonly reporter_id: string | null;
  readonly reporter_contact: string | null;
}

function reportsOn(id: string): Promise<readonly ReportRow[]> {
  return server.db.rows(sql<ReportRow>`
    select category, details, reporter_id, reporter_contact
    from reports
    where target_id = ${id}
    order by id`);
}

test('303 signed out: a report with a contact and no account, and what happens next', async () => {
  const id = newId(5);
  const path = pathOf('article', id);
  const visitor = openBrowser(server);
  const page = await visitor.page(path);
  assert.match(page.text, /How can we reach you\?/);
  assert.match(page.text, /No one else learns who sent it/);
  assert.equal(page.headers.get('cache-control'), 'private, no-store');
  assert.equal(page.headers.get('x-robots-tag'), 'noindex');
  const typed = fields({ category: 'illegal', details: 'Line\r\ntwo', contact: 'a@b.example' });
  const sent = await visitor.sendForm(`${path}&form=report`, typed);
  assert.equal(sent.status, 303);
  assert.equal(sent.headers.get('location'), `${path}&sent=1#sent`);
  assert.deepEqual(await reportsOn(id), [
    {
      category: 'illegal',
      details: 'Line\ntwo',
      reporter_id: null,
      reporter_contact: 'a@b.example',
    },
  ]);
  const thanks = await visitor.page(`${path}&sent=1`);
  assert.match(thanks.text, /Thank you/);
  assert.match(thanks.text, /A moderator will look at the article/);
  assert.equal(visitor.cookie(), undefined, 'no session is made');
});

test('400 for a form with an encoding, without a report', async () => {
  const id = newId(5);
  const visitor = openBrowser(server);
  const typed = fields({ category: 'illegal', details: '', contact: '' });
  const sent = await visitor.sendForm(`${pathOf('article', id)}&form=report`, typed, {
    'content-encoding': 'gzip',
  });
  assert.equal(sent.status, 400);
  assert.match(sent.text, /Content-Encoding is not supported/);
  assert.deepEqual(await reportsOn(id), []);
});

test('303 signed in: the report is of the account, and no contact is asked for', async () => {
  const id = newId(6);
  const path = pathOf('comment', id);
  const browser = openBrowser(server);
  await browser.join();
  assert.doesNotMatch((await browser.page(path)).text, /name="contact"/);
  const sent = await browser.sendForm(`${path}&form=report`, fields({ category: 'spam' }));
  assert.equal(sent.status, 303);
  const { body } = await browser.ask('GET', '/-/v1/me');
  const [report] = await reportsOn(id);
  assert.equal(report?.reporter_id, body.principal.id);
  assert.match((await browser.page(`${path}&sent=1`)).text, /href="\/notifications"/);
});

test('a report that is sent again is made once, with and without an account; another text is another report', async () => {
  for (const who of ['signed out', 'signed in']) {
    const id = newId(9);
    const place = `${pathOf('article', id)}&form=report`;
    const browser = openBrowser(server);
    if (who === 'signed in') await browser.join();
    const typed = fields({ category: 'spam', details: 'The same.' });
    const sends = () => browser.sendForm(place, typed);
    const [first, second] = await Promise.all([sends(), sends()]);
    const reload = await sends();
    for (const { status } of [first, second, reload]) assert.equal(status, 303, who);
    assert.equal((await reportsOn(id)).length, 1, who);
    const key = 'another-key-of-the-form';
    await browser.sendForm(place, fields({ category: 'spam', details: 'The same.', key }));
    assert.equal((await reportsOn(id)).length, 2, who);
  }
  // A reporter without an account is known only by what they send.
  const id = newId(9);
  const place = `${pathOf('article', id)}&form=report`;
  for (const details of ['Mine.', 'Of somebody else, with the same key.'])
    await openBrowser(server).sendForm(place, fields({ category: 'spam', details }));
  assert.equal((await reportsOn(id)).length, 2);
});

test('a report whose connection broke before the commit is made by the next attempt, once', async () => {
  const id = newId(9);
  const place = `${pathOf('comment', id)}&form=report`;
  const typed = fields({ category: 'abuse' });
  const sends = () => openBrowser(server).sendForm(place, typed);
  const cut = await server.db.transaction(async (tx) => {
    await tx.run(sql`lock table report_changes in exclusive mode`);
    const sent = sends();
    await untilWaiting(server, 1);
    // Without a key in the store there is no report either: both are in one transaction.
    const [backend] = await tx.rows(sql<{ readonly pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    await tx.run(sql`select pg_terminate_backend(${backend?.pid ?? 0}::integer)`);
    return { sent };
  });
  const { status } = await cut.sent;
  assert.ok(status === 303 || status === 503, String(status));
  assert.equal((await sends()).status, 303);
  assert.equal((await sends()).status, 303);
  assert.equal((await reportsOn(id)).length, 1);
});

test('422 a report that is refused comes back with what was typed', async () => {
  const path = pathOf('principal', newId(7));
  const visitor = openBrowser(server);
  const typed = { category: 'abuse', details: `<b>${'x'.repeat(4_000)}`, contact: '"><i>' };
  const long = await visitor.sendForm(`${path}&form=report`, fields(typed));
  assert.equal(long.status, 422);
  assert.match(long.text, /id="details-fault"[^>]*>This must have at most 4000 characters/);
  assert.match(long.text, /value="abuse" required checked/);
  assert.match(long.text, /&#60;b&#62;xxx/);
  assert.match(long.text, /value="&#34;&#62;&#60;i&#62;"/);
  const none = await visitor.sendForm(`${path}&form=report`, fields({ details: 'Kept' }));
  assert.equal(none.status, 422);
  assert.match(none.text, /id="category-fault"[^>]*>This /);
  assert.match(none.text, />\nKept<\/textarea>/);
});

test('403 from another site, also signed out: nothing is reported', async () => {
  const id = newId(8);
  const visitor = openBrowser(server);
  for (const headers of [
    { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    const typed = fields({ category: 'spam' });
    const sent = await visitor.sendForm(`${pathOf('media', id)}&form=report`, typed, headers);
    assert.equal(sent.status, 403, JSON.stringify(headers));
  }
  assert.deepEqual(await reportsOn(id), []);
});

test('the page and the answer are the same whether the object exists, is private or is not there', async () => {
  const draft = await server.draft(author);
  const ids = [newId(9), String(draft.id), String((await server.published(author)).id)];
  const visitor = openBrowser(server);
  const seen = [];
  for (const id of ids) {
    const path = pathOf('article', id);
    const page = await visitor.page(path);
    const sent = await visitor.sendForm(`${path}&form=report`, fields({ category: 'other' }));
    const text = page.text.replaceAll(id, '').replaceAll(/name="key" value="[^"]+"/g, '');
    seen.push(JSON.stringify([page.status, text, sent.status, sent.headers.get('location')]));
  }
  assert.equal(new Set(seen.map((one, at) => one.replaceAll(ids[at] ?? '', ''))).size, 1);
});

test('404 an address that names nothing that can be reported', async () => {
  for (const path of ['/report', pathOf('x', newId(1)), pathOf('article', '1'), '/report?id=x'])
    assert.equal((await fetchPage(server, path)).status, 404, path);
});

test('articles, pictures, comments and accounts lead to their reports', async () => {
  const article = await server.published(author);
  const { body: media } = await upload(server, author, 'image', pngOf(9, 9));
  await server.ask('PATCH', `/v1/articles/${article.id}`, {
    token: author.token,
    body: { featured_media_id: media.id },
  });
  const { id } = await comment(server, author, article.id);
  const places = (page: Awaited<ReturnType<typeof fetchPage>>) =>
    page
      .all('a')
      .flatMap(({ attributes: { href = '' } }) => (href.startsWith('/report') ? [href] : []));
  const expected = [
    pathOf('article', article.id),
    pathOf('media', media.id),
    pathOf('comment', id),
  ];
  assert.deepEqual(places(await fetchPage(server, article.url)), expected);
  const profile = await fetchPage(server, `/@${author.username}`);
  assert.deepEqual(places(profile), [pathOf('principal', author.id)]);
  const [report, , other] = expected;
  for (const place of [report, other]) {
    const thanks = await fetchPage(server, `${place}&sent=1`);
    const back = thanks.all('a').find(({ text }) => text.startsWith('Back to the '));
    const there = await fetchPage(server, back?.attributes['href'] ?? '');
    assert.equal(there.status, 301);
    const location = there.headers.get('location') ?? '';
    assert.equal(location.split(/[?#]/)[0], new URL(article.url).pathname);
  }
});

test('429 too many reports of one address: said in words, to scripts too', async () => {
  await using limited = await startLimitedServer({
    rates: { anonymous_reports_per_hour: 1, reads_per_minute: 3 },
  });
  const visitor = openBrowser(limited);
  const path = `${pathOf('article', newId(1))}&form=report`;
  assert.equal((await visitor.sendForm(path, fields({ category: 'spam' }))).status, 303);
  const sent = await visitor.sendForm(path, fields({ category: 'spam' }), {
    accept: 'application/json',
  });
  assert.equal(sent.status, 429);
  assert.match(JSON.parse(sent.text).detail, /more than we can take at once\. Try again in \d+/);
  const page = await visitor.sendForm(path, fields({ category: 'spam' }));
  assert.match(page.text, /<h1>Too many requests/);
  // The limit on pages is met before the form is read: the same answer.
  const words = { category: 'spam', details: 'Look at the second line.' };
  const typed = await visitor.sendForm(path, fields(words));
  assert.equal(typed.status, 429);
  assert.match(
    typed.text,
    /<h1>Too many requests[^]*Try again in \d+ [^]*Look at the second line\./,
  );
});
