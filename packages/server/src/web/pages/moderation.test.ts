// The moderation desk: what it shows, and what its forms do, without scripts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventsOf } from '#test/comments';
import { deskPerson, hasForm, sendShown } from '#test/desk';
import type { DeskPerson } from '#test/desk';
import { encodePairs, filledIn, formsIn } from '#test/forms/shown-forms';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { anArticle } from '#test/moderators';
import { read, report, review } from '#test/reports';

let server: TestServer;
let moderator: DeskPerson;
let colleague: DeskPerson;
before(async () => {
  server = await startServer({ ROLE: 'web' });
  [moderator, colleague] = [await deskPerson(server), await deskPerson(server)];
});
after(() => server[Symbol.asyncDispose]());

async function statusOf(id: string): Promise<string> {
  return (await read(server, moderator.human, id)).body.status;
}

test('the queue shows reports as source, with filters and counts, and nothing of them is live', async () => {
  const hostile =
    '<img src=x onerror=alert(1)> [x](https://evil.example) ![y](https://evil.example/y.png)';
  const author = await server.register();
  const { id: target_id } = await server.published(author, { title: hostile, content: hostile });
  const id = await report(server, {
    target_type: 'article',
    target_id,
    category: 'injection',
    details: `${hostile}\u202E`,
  });
  const queue = await moderator.browser.page('/moderation?category=injection');
  assert.match(queue.text, /Hidden instructions \(1\)/);
  const one = await moderator.browser.page(`/moderation/reports/${id}?category=injection`);
  const [heading] = queue.all('h2').filter(({ text }) => text.startsWith('Hidden instructions'));
  assert.equal(heading?.text, `Hidden instructions: article by @${author.username}`);
  assert.match(one.text, /Reported by /);
  for (const page of [queue, one]) {
    assert.equal(page.all('img').length, 0);
    for (const { attributes } of page.all('a'))
      assert.match(attributes['href'] ?? '', new RegExp(`^(?:/|#|${server.baseUrl}/)`));
    assert.match(page.text, /&#60;img src&#61;x onerror/);
  }
  assert.match(one.text, /⟦U\+202E⟧/);
  assert.ok(!queue.text.includes('\u202E') && !one.text.includes('\u202E'));
  const other = await moderator.browser.page('/moderation?category=copyright&type=media');
  assert.match(other.text, /No report is open/);
  for (const odd of ['show=nothing', 'category=x', 'type=y', 'cursor=%00'])
    assert.ok((await moderator.browser.page(`/moderation?${odd}`)).status < 500, odd);
});

test('the box that closes the other reports counts those that the page does not list too', async () => {
  const { input } = await anArticle(server);
  const target = { target_type: 'article', target_id: input.target_id, category: 'other' };
  const ids: string[] = [];
  for (let n = 0; n < 24; n++) ids.push(await report(server, target));
  const [first = '', claimed = '', closed = ''] = ids;
  await review(server, colleague.human, claimed, { status: 'reviewing' });
  await review(server, colleague.human, closed, { status: 'rejected' });
  const path = `/moderation/reports/${first}`;
  assert.match((await moderator.browser.page(path)).text, /Close the other 21 reports on this too/);
  // All that the page lists are closed; one that it does not list is open.
  for (const id of ids.slice(4)) await review(server, colleague.human, id, { status: 'rejected' });
  assert.match((await moderator.browser.page(path)).text, /Close the other report on this too/);
});

test('what an action has closed is said, and no more than that', async () => {
  const { input } = await anArticle(server);
  const target = { target_type: 'article', target_id: input.target_id, category: 'other' };
  const [first, second] = [await report(server, target), await report(server, target)];
  const said = async (path: string, values: Readonly<Record<string, string>>) => {
    const { headers } = await sendShown(moderator, path, 'act', values);
    const { all } = await moderator.browser.page(headers.get('location') ?? '');
    return all('p').find(({ attributes }) => attributes['id'] === 'done')?.text;
  };
  const object = `/moderation/objects/article/${input.target_id}`;
  const warn = { moderation_action: 'warn', reason_code: 'other' };
  assert.equal(await said(object, warn), 'The action is carried out.');
  assert.deepEqual([await statusOf(first), await statusOf(second)], ['open', 'open']);
  assert.equal(
    await said(`/moderation/reports/${first}`, { ...warn, all_reports: '' }),
    'The action is carried out, and the report is closed.',
  );
  assert.deepEqual([await statusOf(first), await statusOf(second)], ['actioned', 'open']);
  await report(server, target);
  assert.equal(
    await said(`/moderation/reports/${second}`, warn),
    'The action is carried out, and the report and the others on the same are closed.',
  );
});

test('claim, act and close: the next report follows, and its reports are closed with it', async () => {
  const { input, author } = await anArticle(server);
  const target = { target_type: 'article', target_id: input.target_id, category: 'copyright' };
  const [first, second] = [await report(server, target), await report(server, target)];
  const later = await report(server, { category: 'copyright' });
  const path = `/moderation/reports/${first}?category=copyright`;
  const claimed = await sendShown(moderator, path, 'claim');
  assert.equal(claimed.status, 303);
  assert.equal(await statusOf(first), 'reviewing');
  const theirs = await colleague.browser.page(path);
  assert.match(theirs.text, /has claimed this report/);
  assert.ok(!hasForm(theirs.text, 'act') && !hasForm(theirs.text, 'reject'));
  const standing = await colleague.browser.page(`/moderation/standing?ids=${first},${later},x`);
  assert.deepEqual(
    JSON.parse(standing.text).items.map(({ id, words }: Record<string, string>) => [id, words]),
    [
      [first, `Claimed by @${moderator.human.username}`],
      [later, 'Open'],
    ],
  );
  const asked = { headers: { 'if-none-match': standing.headers.get('etag') ?? '' } };
  const unchanged = await colleague.browser.ask(
    'GET',
    `/moderation/standing?ids=${first},${later},x`,
    asked,
  );
  assert.equal(unchanged.status, 304);
  const acted = await sendShown(moderator, path, 'act', {
    moderation_action: 'hide',
    reason_text: 'It is not yours.',
  });
  assert.equal(acted.status, 303, acted.text);
  assert.equal(
    acted.headers.get('location'),
    `/moderation/reports/${later}?category=copyright&done=acted-all#done`,
  );
  assert.deepEqual([await statusOf(first), await statusOf(second)], ['actioned', 'actioned']);
  const told = (await eventsOf(server, author.id)).at(-1);
  const payload = told?.payload as Record<string, string> | undefined;
  assert.equal(payload?.['reason_text'], 'It is not yours.');
  const rejected = await sendShown(
    moderator,
    `/moderation/reports/${later}?category=copyright`,
    'reject',
    {
      resolution: 'Nothing to see.',
    },
  );
  assert.equal(
    rejected.headers.get('location'),
    '/moderation?category=copyright&done=rejected#done',
  );
  assert.equal(await statusOf(later), 'rejected');
});

test('without scripts, a step of the form shows what readers and the author will see, and does nothing', async () => {
  const { input, author } = await anArticle(server);
  const target = { target_type: 'article', target_id: input.target_id, category: 'copyright' };
  const id = await report(server, target);
  const path = `/moderation/reports/${id}`;
  const typed = {
    moderation_action: 'remove',
    source: 'legal',
    reason_text: 'A <b>court</b> asks.',
  };
  const missing = await sendShown(moderator, path, 'act', {
    moderation_action: '',
    step: 'preview',
  });
  assert.equal(missing.status, 422);
  const shown = await sendShown(moderator, path, 'act', { ...typed, step: 'preview' });
  assert.equal(shown.status, 200);
  const notice = /<div class="notice" id="preview"[^]*?<\/div>/.exec(shown.text)?.[0] ?? '';
  assert.doesNotMatch(notice, /hidden/);
  assert.match(notice, /Readers will see .*“Not available for legal reasons” \(451\)/);
  assert.match(notice, /A moderator removed your article\./);
  assert.match(notice, /It uses somebody’s work without permission\./);
  assert.match(notice, /A &#60;b&#62;court&#60;\/b&#62; asks\./);
  assert.equal(await statusOf(id), 'open');
  // What was typed is still there, and is carried out with the same key.
  const form = formsIn(shown.text).find(({ action }) => action.includes('form=act'));
  assert.ok(form);
  const acted = await moderator.browser.sendForm(form.action, encodePairs(filledIn(form)));
  assert.equal(acted.status, 303, acted.text);
  assert.equal(await statusOf(id), 'actioned');
  assert.equal((await server.ask('GET', `/v1/articles/${input.target_id}`)).status, 451);
  // The author is notified in the words that the preview has shown.
  const told = (await eventsOf(server, author.id)).at(-1);
  const sent = told?.payload as Record<string, string> | undefined;
  assert.equal(sent?.['reason_text'], typed.reason_text);
});

test('what is missing or impossible is said beside its field, and what was typed stays', async () => {
  const { input } = await anArticle(server);
  const id = await report(server, {
    target_type: 'article',
    target_id: input.target_id,
    category: 'other',
  });
  const fields = `key=0123456789&target_type=article&target_id=${input.target_id}&report_id=${id}&source=report&reason_code=spam&reason_text=Words+of+mine`;
  const path = `/moderation/reports/${id}?form=act`;
  const missing = await moderator.browser.sendForm(path, fields);
  assert.equal(missing.status, 422);
  assert.match(missing.text, /Choose what is done/);
  assert.match(missing.text, /Words of mine/);
  const unfit = await moderator.browser.sendForm(path, `${fields}&moderation_action=suspend`);
  assert.equal(unfit.status, 422);
  assert.match(unfit.text, /not allowed for this target_type/);
  const nothing = await moderator.browser.sendForm(path, `${fields}&moderation_action=restore`);
  assert.equal(nothing.status, 409);
  assert.match(nothing.text, /changes nothing/);
  assert.equal(await statusOf(id), 'open');
});

test('a report about the moderator shows no form, and a forged one is refused', async () => {
  const { id: target_id } = await server.published(moderator.human);
  const id = await report(server, { target_type: 'article', target_id });
  const page = await moderator.browser.page(`/moderation/reports/${id}`);
  assert.match(page.text, /Another moderator decides/);
  assert.ok(
    !hasForm(page.text, 'act') && !hasForm(page.text, 'reject') && !hasForm(page.text, 'claim'),
  );
  const forged = await moderator.browser.sendForm(
    `/moderation/reports/${id}?form=reject`,
    'key=0123456789',
  );
  assert.equal(forged.status, 403);
  const object = await moderator.browser.page(`/moderation/objects/article/${target_id}`);
  assert.ok(!hasForm(object.text, 'act'));
});

test('the reporter of a report about the moderator is withheld; others see whether there is one', async () => {
  const { id: target_id } = await server.published(moderator.human);
  const reporter = await server.register();
  const target = { target_type: 'article', target_id };
  const input = { ...target, category: 'other', details: 'It is wrong.' };
  const filed = await server.ask('POST', '/v1/reports', { token: reporter.token, body: input });
  const named: string = filed.body.id;
  await report(server, target);
  const path = `/moderation/reports/${named}`;
  const own = await moderator.browser.page(path);
  assert.equal(own.text.match(/Withheld: the report is about you\./g)?.length, 2);
  assert.doesNotMatch(own.text, /Reported by somebody without an account/);
  assert.ok(!own.text.includes(reporter.username));
  const theirs = await colleague.browser.page(path);
  assert.doesNotMatch(theirs.text, /Withheld/);
  assert.match(theirs.text, /Reported by somebody without an account/);
  assert.ok(theirs.text.includes(`@${reporter.username}`));
});

test('a comment is shown with its article and what it answers; its history opens, acts and shows the record', async () => {
  const { author, input } = await anArticle(server);
  const say = (path: string, content: string) =>
    server.ask('POST', path, { token: author.token, key: true, body: { content } });
  const parent = await say(`/v1/articles/${input.target_id}/comments`, 'The first words.');
  const reply = await say(`/v1/comments/${parent.body.id}/replies`, 'The rude answer.');
  const id = await report(server, {
    target_type: 'comment',
    target_id: reply.body.id,
    category: 'abuse',
  });
  const page = await moderator.browser.page(`/moderation/reports/${id}`);
  for (const words of [
    'The first words.',
    'The rude answer.',
    'A title',
    'No moderator has ever acted',
  ])
    assert.ok(page.text.includes(words), words);
  const path = `/moderation/objects/comment/${reply.body.id}`;
  const acted = await sendShown(moderator, path, 'act', {
    moderation_action: 'remove',
    reason_code: 'abuse',
  });
  assert.equal(acted.status, 303, acted.text);
  const history = await moderator.browser.page(path);
  for (const words of ['Removed', 'Reported', 'not visible', '1 action'])
    assert.ok(history.text.toLowerCase().includes(words.toLowerCase()), words);
  const found = await moderator.browser.page(
    `/moderation/objects?type=comment&id=${reply.body.id}`,
  );
  assert.match(found.headers.get('location') ?? '', new RegExp(`${path}$`));
  await review(server, moderator.human, id, { status: 'rejected' });
});
