// The forms of the moderation desk: which actions they offer, what a refusal says, and how long texts are shown.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deskPerson, sendShown } from '#test/desk';
import type { DeskPerson } from '#test/desk';
import { encodePairs, filledIn, formsIn } from '#test/forms/shown-forms';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { act, anArticle } from '#test/moderators';
import type { FetchedPage } from '#test/page';
import { report, review } from '#test/reports';

let server: TestServer;
let moderator: DeskPerson;
let colleague: DeskPerson;
before(async () => {
  server = await startServer({ ROLE: 'web' });
  [moderator, colleague] = [await deskPerson(server), await deskPerson(server)];
});
after(() => server[Symbol.asyncDispose]());

/** The actions that a form offers, without those that cannot be chosen. */
function offersOf(page: FetchedPage): readonly string[] {
  return page
    .all('input')
    .filter(({ attributes }) => attributes['name'] === 'moderation_action')
    .filter(({ attributes }) => attributes['disabled'] === undefined)
    .map(({ attributes }) => attributes['value'] ?? '');
}

async function openReportsOn(targetId: string): Promise<readonly string[]> {
  const { items } = (
    await server.ask('GET', '/v1/moderation/reports?status=open&limit=100', {
      token: colleague.human.token,
    })
  ).body as { items: readonly { readonly id: string; readonly target_id: string }[] };
  return items.flatMap((one) => (one.target_id === targetId ? [one.id] : []));
}

async function aComment() {
  const author = await deskPerson(server, []);
  const { id } = await server.published(author.human);
  const { token } = author.human;
  const { body } = await server.ask('POST', `/v1/articles/${id}/comments`, {
    token,
    key: true,
    body: { content: 'Words.' },
  });
  return { author, articleId: id, id: String(body.id), token };
}

test('of what its author has deleted, only what changes something can be chosen', async () => {
  const { id, articleId, token } = await aComment();
  const reportId = await report(server, { target_type: 'comment', target_id: id });
  const path = `/moderation/objects/comment/${id}`;
  assert.deepEqual(offersOf(await moderator.browser.page(path)), ['hide', 'remove', 'warn']);
  await server.ask('DELETE', `/v1/comments/${id}`, { token });
  for (const place of [path, `/moderation/reports/${reportId}`]) {
    const page = await moderator.browser.page(place);
    assert.deepEqual(offersOf(page), ['remove', 'warn'], place);
    assert.match(page.text, /Its author has deleted it\./);
    assert.match(page.text, /<strong>Remove<\/strong> <strong class="small">Only for a legal/);
  }
  await server.ask('DELETE', `/v1/articles/${articleId}`, { token });
  const article = await moderator.browser.page(`/moderation/objects/article/${articleId}`);
  assert.deepEqual(offersOf(article), ['remove', 'warn']);
  assert.match(article.text, /Its author has deleted it\./);
});

test('what the form says of a comment is what its thread shows', async () => {
  const { author, articleId, id } = await aComment();
  const target = { target_type: 'comment', target_id: id } as const;
  const form = await moderator.browser.page(`/moderation/objects/comment/${id}`);
  const { body } = await server.ask('GET', `/v1/articles/${articleId}`);
  const thread = new URL(body.url).pathname;
  const legally = /data-readers-legal="([^"]+)"/.exec(form.text)?.[1] ?? '';
  const cases = [
    [{ action: 'hide' }, form.text],
    [{ action: 'remove' }, form.text],
    [{ action: 'remove', source: 'legal' }, legally],
  ] as const;
  for (const [action, promised] of cases) {
    await act(server, colleague.human, { ...target, ...action });
    const [said = ''] = /This comment was \w+ by a moderator\./.exec(
      (await author.browser.page(thread)).text,
    ) ?? [''];
    assert.ok(said !== '' && promised.includes(`“${said}” in its place`), said);
  }
  assert.doesNotMatch(form.text, /Page not found/);
});

test('what an earlier action has done already cannot be chosen, and what takes it back can', async () => {
  const { input } = await anArticle(server);
  const target = { target_type: 'article', target_id: input.target_id } as const;
  const path = `/moderation/objects/article/${input.target_id}`;
  const all = ['hide', 'remove', 'de-index', 'warn'];
  assert.deepEqual(offersOf(await moderator.browser.page(path)), all);
  await act(server, colleague.human, { ...target, action: 'hide' });
  const hidden = await moderator.browser.page(path);
  assert.deepEqual(offersOf(hidden), ['remove', 'de-index', 'restore', 'warn']);
  assert.doesNotMatch(hidden.text, /Its author has deleted it/);
});

test('a refusal says a time in words', async () => {
  const id = await report(server);
  const stale = await moderator.browser.page(`/moderation/reports/${id}`);
  assert.match(stale.text, /Claim for 24 hours/);
  await review(server, colleague.human, id, { status: 'reviewing' });
  const path = `/moderation/reports/${id}?form=claim`;
  const refused = await moderator.browser.sendForm(path, `key=0123456789&item=${id}`);
  assert.equal(refused.status, 409);
  assert.match(
    refused.text,
    /Another moderator has claimed the report until \d+ \w+ \d{4}, \d\d:\d\d UTC\. Choose/,
  );
});

test('what another moderator was faster with: why, the words that were typed, and the way back', async () => {
  const { input } = await anArticle(server);
  const target = { target_type: 'article', target_id: input.target_id } as const;
  const id = await report(server, { ...target, category: 'spam' });
  const path = `/moderation/reports/${id}?category=spam`;
  const stale = await moderator.browser.page(path);
  const form = formsIn(stale.text).find(({ action }) => action.includes('form=act'));
  assert.ok(form);
  await act(server, colleague.human, {
    ...target,
    action: 'hide',
    report_id: id,
    source: 'report',
  });
  const fields = new URLSearchParams(encodePairs(filledIn(form)));
  fields.set('moderation_action', 'remove');
  fields.set('reason_text', 'My own words.');
  const { status, text } = await moderator.browser.sendForm(form.action, fields.toString());
  assert.equal(status, 409);
  assert.match(text, /The report is already closed/);
  assert.match(
    text,
    new RegExp(`href="/moderation/reports/${id}\\?category(?:=|&#61;)spam">Open the page`),
  );
  const typed = [...text.matchAll(/<pre class="typed"[^>]*>\s*([^<]*)<\/pre>/g)];
  assert.deepEqual(
    typed.map(([, words]) => words),
    ['My own words.'],
  );
});

const long = `${'A long reason. '.repeat(60)}The end.`;
const lines = `${'Line\n'.repeat(300)}The end.`;

/** The texts that are seen while nothing is unfolded. */
const unfoldedText = ({ text }: FetchedPage) => text.replaceAll(/<\/summary>.*?<\/details>/gs, '');

test('long texts are folded, with the whole of them below the fold', async () => {
  const { author, id } = await aComment();
  const target = { target_type: 'comment', target_id: id } as const;
  const reportId = await report(server, { ...target, category: 'spam' });
  await review(server, colleague.human, reportId, { status: 'rejected', resolution: long });
  await act(server, colleague.human, { ...target, action: 'warn', reason_text: long });
  const hidden = await act(server, colleague.human, {
    ...target,
    action: 'hide',
    reason_text: lines,
  });
  const decision = `/decisions/${hidden.id}`;
  await sendShown(author, decision, 'appeal', { text: long });
  const pages = [
    await moderator.browser.page(`/moderation/objects/comment/${id}`),
    await moderator.browser.page(`/moderation/reports/${reportId}`),
    await author.browser.page(decision),
    await author.browser.page('/notifications'),
  ];
  for (const page of pages) {
    assert.equal(page.status, 200);
    assert.doesNotMatch(unfoldedText(page), /The end\./);
    assert.match(unfoldedText(page), /A long reason\. .* …|Line\nLine/s);
  }
  for (const page of pages.slice(0, 3)) assert.match(page.text, /The end\./);
});

test('a reporter learns which report an outcome is about', async () => {
  const { author, articleId, id } = await aComment();
  const reporter = await deskPerson(server, []);
  const targets = [
    ['comment', id, 'a comment “Words.”'],
    ['article', articleId, 'this article'],
    ['principal', author.human.id, `@${author.human.username}`],
  ] as const;
  for (const [target_type, target_id] of targets) {
    const place = `/report?type=${target_type}&id=${target_id}`;
    await sendShown(reporter, place, 'report', { category: 'other' });
    const action = { target_type, target_id, action: 'warn', source: 'report' } as const;
    const [report_id = null] = await openReportsOn(target_id);
    await act(server, colleague.human, { ...action, report_id });
  }
  const notifications = await reporter.browser.page('/notifications?kind=moderation');
  const said = notifications.all('li').map(({ text }) => text.replaceAll(/\s+/g, ' '));
  for (const [, , thing] of targets) {
    const words = `A moderator acted on your report of ${thing.replaceAll(/[“”]/g, '')}`;
    assert.ok(
      said.some((line) => line.includes(words)),
      words,
    );
  }
});
