// The moderation desk shows what readers saw when an article was reported or acted on, after its author has revised it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { sendAppeal } from '#test/appeals';
import { setArticleStatus } from '#test/comments';
import { deskPerson } from '#test/desk';
import type { DeskPerson } from '#test/desk';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { act } from '#test/moderators';
import { report } from '#test/reports';
import { revisedArticle, show } from '#test/revised-articles';
import type { Revised } from '#test/revised-articles';

let server: TestServer;
let moderator: DeskPerson;
let colleague: DeskPerson;
before(async () => {
  server = await startServer({ ROLE: 'web' });
  [moderator, colleague] = [await deskPerson(server), await deskPerson(server)];
});
after(() => server[Symbol.asyncDispose]());

const note = 'The author published another revision after';

type Page = Awaited<ReturnType<DeskPerson['browser']['page']>>;

const hrefsOf = (page: Page) => page.all('a').map(({ attributes }) => attributes['href'] ?? '');

const changesOf = ({ id, first, second }: Revised) =>
  `/moderation/objects/article/${id}?from=${first}&to=${second}`;

/** The reads of an article that the audit log contains, as operations. */
async function readsOf(id: string): Promise<readonly unknown[]> {
  const rows = await server.db.rows(sql<{ details: { operation: string } }>`
    select details
    from audit_log
    where target_id = ${id} and action = 'read'
    order by number`);
  return rows.map(({ details }) => details.operation);
}

test('a report says that the article was changed after it, and leads to both revisions', async () => {
  const article = await revisedArticle(server);
  const id = await report(server, { target_id: article.id });
  const path = `/moderation/reports/${id}`;
  assert.ok(!(await moderator.browser.page(path)).text.includes(note));
  await show(server, article, article.second);
  const page = await moderator.browser.page(path);
  for (const words of [`${note} this report.`, 'VERSION ONE', 'Title one', 'VERSION TWO'])
    assert.ok(page.text.includes(words), words);
  const hrefs = hrefsOf(page);
  for (const href of [
    `${changesOf(article)}#changes`,
    `${article.url}/revisions/${article.first}`,
    `${article.url}/revisions`,
  ])
    assert.ok(hrefs.includes(href), href);
  const changes = await moderator.browser.page(changesOf(article));
  assert.match(changes.text, /<del[^>]*>.*ONE/);
  assert.match(changes.text, /<ins[^>]*>.*TWO/);
  assert.deepEqual(await readsOf(article.id), [], 'reads of public content');
});

test('a hidden article can still be compared, which the audit log records; the texts of a removed one are shown', async () => {
  const article = await revisedArticle(server);
  const id = await report(server, { target_id: article.id });
  await show(server, article, article.second);
  await setArticleStatus(server, article.id, 'hidden');
  const page = await moderator.browser.page(`/moderation/reports/${id}`);
  assert.ok(page.text.includes('VERSION ONE') && page.text.includes('VERSION TWO'));
  const hrefs = hrefsOf(page);
  assert.ok(hrefs.includes(`${changesOf(article)}#changes`));
  assert.ok(!hrefs.includes(`${article.url}/revisions/${article.first}`));
  const changes = await moderator.browser.page(changesOf(article));
  assert.match(changes.text, /<del[^>]*>.*ONE/);
  const operations = await readsOf(article.id);
  assert.ok(operations.includes('readReport') && operations.includes('readDiff'));

  const target = { target_type: 'article', target_id: article.id } as const;
  await act(server, colleague.human, { ...target, action: 'remove', source: 'legal' });
  const removed = await moderator.browser.page(`/moderation/reports/${id}`);
  for (const words of [`${note} this report.`, 'VERSION ONE', 'VERSION TWO'])
    assert.ok(removed.text.includes(words), words);
  assert.ok(!hrefsOf(removed).includes(`${changesOf(article)}#changes`));
  const gone = await moderator.browser.page(changesOf(article));
  assert.equal(gone.status, 200);
  assert.match(gone.text, /cannot be compared any more/);
});

test('an appeal and the history say what readers saw when the moderator acted', async () => {
  const article = await revisedArticle(server);
  const { author, id: target_id } = article;
  const on = { target_type: 'article', target_id } as const;
  await report(server, on);
  const { id: actionId } = await act(server, colleague.human, { ...on, action: 'warn' });
  const path = `/moderation/objects/article/${target_id}`;
  const revised = 'Readers saw an earlier revision then.';
  assert.ok(!(await moderator.browser.page(path)).text.includes(revised));
  await show(server, article, article.second);
  await report(server, on);
  const appeal = await sendAppeal(server, author, actionId);
  const page = await moderator.browser.page(`/moderation/appeals/${appeal}`);
  for (const words of [`${note} this action.`, 'VERSION ONE', 'VERSION TWO'])
    assert.ok(page.text.includes(words), words);
  assert.ok(hrefsOf(page).includes(`${changesOf(article)}#changes`));
  const history = await moderator.browser.page(path);
  assert.equal(history.text.split(revised).length - 1, 2, 'the first report and the action');
  const hrefs = hrefsOf(history);
  assert.equal(hrefs.filter((href) => href === `${changesOf(article)}#changes`).length, 2);
});

test('the comparison names characters that are not shown, and belongs to moderators', async () => {
  const author = await server.register();
  const made = await server.published(author, { content: 'Plain\u202E text <img src=x>' });
  const body = { content: 'Other text', expected_revision_id: made.revision_id };
  const path = `/v1/articles/${made.id}/revisions`;
  const next = await server.ask('POST', path, { token: author.token, key: true, body });
  const { revision_id: second } = next.body;
  await show(server, { author, id: made.id }, second);
  const article = { author, id: made.id, url: made.url, first: made.revision_id, second };
  const page = await moderator.browser.page(changesOf(article));
  assert.match(page.text, /⟦U\+202E⟧/);
  assert.ok(!page.text.includes('\u202E'));
  assert.equal(page.all('img').length, 0);
  const stranger = await deskPerson(server, []);
  const refused = await stranger.browser.page(changesOf(article));
  assert.ok(refused.status !== 200 || !refused.text.includes('Other text'));
});
