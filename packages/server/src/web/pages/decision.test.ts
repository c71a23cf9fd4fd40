// A decision for its author, the appeal, and the moderator who decides it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { createAgent } from '#test/agents';
import { sendAppeal } from '#test/appeals';
import { blockedByLock } from '#test/blocked-by-lock';
import { eventsOf } from '#test/comments';
import { deskPerson, hasForm, sendShown } from '#test/desk';
import type { DeskPerson } from '#test/desk';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { act } from '#test/moderators';

let server: TestServer;
let moderator: DeskPerson | undefined;
let colleague: DeskPerson | undefined;
let author: DeskPerson | undefined;
let stranger: DeskPerson | undefined;
before(async () => {
  server = await startServer({ ROLE: 'web' });
  [moderator, colleague] = [await deskPerson(server), await deskPerson(server)];
  [author, stranger] = [await deskPerson(server, []), await deskPerson(server, [])];
});
after(() => server[Symbol.asyncDispose]());

const people = () => {
  assert.ok(moderator && colleague && author && stranger);
  return { moderator, colleague, author, stranger };
};

async function hide(action: 'hide' | 'warn' = 'hide') {
  const { moderator: by, author: whose } = people();
  const article = await server.published(whose.human, { content: 'Ten times the same.' });
  const target = { target_type: 'article', target_id: article.id } as const;
  const done = await act(server, by.human, { ...target, action, reason_text: 'You know why.' });
  return { article, path: `/decisions/${done.id}`, target };
}

test('the author reads what was done, why, the text in question, and can appeal there; nobody else', async () => {
  const { author: whose, stranger: other, moderator: by } = people();
  const { path, article } = await hide();
  const page = await whose.browser.page(path);
  assert.equal(page.status, 200);
  const said = ['A moderator hid your article.', 'You know why.', 'Ten times the same.', 'Spam.'];
  for (const words of said) assert.ok(page.text.includes(words), words);
  assert.match(page.text, /appeal once, until <time[^>]*>\d+ \w+ \d{4}, \d\d:\d\d UTC</);
  assert.ok(!page.text.includes(by.human.username), 'the moderator is not named');
  assert.ok(hasForm(page.text, 'appeal'));
  for (const { browser } of [other, by]) assert.equal((await browser.page(path)).status, 404);
  const notifications = await whose.browser.page('/notifications');
  assert.ok(notifications.text.includes(`href="${path}"`), 'the notification leads to it');
  const own = await whose.browser.page(new URL(article.url).pathname);
  assert.ok(own.text.includes(`href="${path}"`), 'the label of the article leads to it');
  const forged = await other.browser.sendForm(`${path}?form=appeal`, 'key=0123456789&text=Mine');
  assert.equal(forged.status, 404);
});

test('the appeal: refused when empty, sent once, decided by another moderator, and answered in the same place', async () => {
  const { author: whose, moderator: by, colleague: judge } = people();
  const { path, article } = await hide();
  assert.equal(
    (await whose.browser.sendForm(`${path}?form=appeal`, 'key=0123456789&text=')).status,
    422,
  );
  assert.equal(
    (await sendShown(whose, path, 'appeal', { text: 'It is a <b>poem</b>.' })).status,
    303,
  );
  const sent = await whose.browser.page(path);
  assert.ok(!hasForm(sent.text, 'appeal'));
  assert.match(sent.text, /It is a &#60;b&#62;poem/);
  const again = await whose.browser.sendForm(`${path}?form=appeal`, 'key=abcdefghijkl&text=Again');
  assert.equal(again.status, 409);

  const list = await judge.browser.page('/moderation/appeals');
  const link = list
    .all('a')
    .find(({ attributes }) => /\/moderation\/appeals\/\w{26}$/.test(attributes['href'] ?? ''));
  const appeal = link?.attributes['href'] ?? '';
  const shown = await judge.browser.page(appeal);
  for (const words of [
    'It is a &#60;b&#62;poem',
    'You know why.',
    'Ten times the same.',
    by.human.username,
  ])
    assert.ok(shown.text.includes(words), words);
  const own = await by.browser.page(appeal);
  assert.ok(!hasForm(own.text, 'uphold') && !hasForm(own.text, 'reject'));
  const forged = await by.browser.sendForm(`${appeal}?form=uphold`, 'key=0123456789');
  assert.equal(forged.status, 403);

  assert.equal(
    (await sendShown(judge, appeal, 'uphold', { uphold_text: 'A poem it is.' })).status,
    303,
  );
  assert.equal((await server.ask('GET', `/v1/articles/${article.id}`)).status, 200);
  const answered = await whose.browser.page(path);
  assert.match(answered.text, /Your appeal was right/);
  assert.match(answered.text, /This decision was taken back/);
  assert.match(answered.text, /The answer of the moderator:.*A poem it is\./s);
  const event = (await eventsOf(server, whose.human.id)).find(
    ({ type }) => type === 'appeal.resolved',
  );
  const payload = event?.payload as { resolution: string | null } | undefined;
  assert.equal(payload?.resolution, 'A poem it is.');
});

test('a rejected appeal says why; an upheld warning restores nothing', async () => {
  const { author: whose, colleague: judge } = people();
  const one = await hide();
  await sendShown(whose, one.path, 'appeal', { text: 'No.' });
  const newest = async () => {
    const { all } = await judge.browser.page('/moderation/appeals');
    const links = all('a').map(({ attributes }) => attributes['href'] ?? '');
    return links.findLast((link) => /^\/moderation\/appeals\/\w{26}$/.test(link)) ?? '';
  };
  assert.equal(
    (await sendShown(judge, await newest(), 'reject', { resolution: 'Yes.' })).status,
    303,
  );
  const answered = await whose.browser.page(one.path);
  assert.match(answered.text, /Your appeal was rejected/);
  assert.match(answered.text, /Yes\./);
  const two = await hide('warn');
  await sendShown(whose, two.path, 'appeal', { text: 'Not at all.' });
  assert.equal((await sendShown(judge, await newest(), 'uphold')).status, 303);
  assert.match((await whose.browser.page(two.path)).text, /Your appeal was right/);
});

test('409 for an appeal that a colleague has rejected meanwhile: nothing is restored, and no other appeal upheld', async () => {
  const { author: whose, moderator: by, colleague: judge } = people();
  const { article, path, target } = await hide();
  const warning = await act(server, by.human, { ...target, action: 'warn' });
  const appeal = async (decision: string) => {
    const sent = await sendAppeal(server, whose.human, decision);
    return `/moderation/appeals/${sent}`;
  };
  const [first, second] = [await appeal(path.slice(11)), await appeal(warning.id)];
  assert.ok(hasForm((await judge.browser.page(first)).text, 'uphold'));
  assert.equal((await sendShown(judge, first, 'reject', { resolution: 'Spam.' })).status, 303);
  const late = await judge.browser.sendForm(`${first}?form=uphold`, 'key=0123456789abc');
  assert.equal(late.status, 409);
  assert.equal((await server.ask('GET', `/v1/articles/${article.id}`)).status, 404);
  assert.ok(hasForm((await judge.browser.page(second)).text, 'uphold'), 'it is still open');
});

test('409 for an appeal that a colleague rejects after the form has read it: nothing is restored or upheld', async () => {
  const { author: whose, moderator: by, colleague: judge } = people();
  const other = await deskPerson(server);
  const { article, path, target } = await hide();
  const warning = await act(server, by.human, { ...target, action: 'warn' });
  const first = await sendAppeal(server, whose.human, path.slice(11));
  const second = await sendAppeal(server, whose.human, warning.id);
  const locking = sql`
    select id
    from articles
    where bucket = ${bucketOf(article.id)} and id = ${article.id}
    for update`;
  const place = `/moderation/appeals/${first}`;
  const uphold = () => judge.browser.sendForm(`${place}?form=uphold`, 'key=0123456789abc');
  const [late] = await blockedByLock(server, locking, [uphold], async () => {
    assert.equal((await sendShown(other, place, 'reject', { resolution: 'Spam.' })).status, 303);
  });
  assert.equal(late?.status, 409);
  assert.equal((await server.ask('GET', `/v1/articles/${article.id}`)).status, 404);
  const left = await judge.browser.page(`/moderation/appeals/${second}`);
  assert.ok(hasForm(left.text, 'uphold'), 'it is still open');
});

test('a suspended author reads the decision and appeals; a text removed for legal reasons is not shown', async () => {
  const { moderator: by } = people();
  const person = await deskPerson(server, []);
  const article = await server.published(person.human, { content: 'Words of the law.' });
  const target = {
    target_type: 'article',
    target_id: article.id,
    reason_code: 'court_order',
  } as const;
  const legal = await act(server, by.human, { ...target, action: 'remove', source: 'legal' });
  const suspension = await act(server, by.human, {
    target_type: 'principal',
    target_id: person.human.id,
    action: 'suspend',
  });
  const page = await person.browser.page(`/decisions/${legal.id}`);
  assert.ok(!page.text.includes('Words of the law.'));
  assert.match(page.text, /not available for legal reasons/);
  const sent = await sendShown(person, `/decisions/${suspension.id}`, 'appeal', {
    text: 'I did not.',
  });
  assert.equal(sent.status, 303, sent.text);
});

test('what readers see follows the state of the article now, not the decision alone', async () => {
  const { author: whose, colleague: judge } = people();
  const { path, article } = await hide();
  const target = { target_type: 'article', target_id: article.id } as const;
  const effectIs = async (words: RegExp) =>
    assert.match((await whose.browser.page(path)).text, words);
  await effectIs(/Readers see “Page not found”\./);
  await act(server, judge.human, { ...target, action: 'restore' });
  await effectIs(/This decision was taken back <time[^>]*>[^<]*<\/time>\.<\/p>/);
  await act(server, judge.human, { ...target, action: 'remove' });
  await effectIs(/taken back .*Readers see “This page was removed”\./);
  await act(server, judge.human, { ...target, action: 'remove', source: 'legal' });
  await effectIs(/taken back .*not available for legal reasons\./);
});

test('the owner of an agent reads that the agent is suspended, and not that the account is', async () => {
  const { moderator: by } = people();
  const owner = await deskPerson(server, ['agents:manage']);
  const agent = await createAgent(server, owner.human);
  const target = { target_type: 'principal', target_id: agent.id } as const;
  const suspended = await act(server, by.human, { ...target, action: 'suspend' });
  await act(server, by.human, { ...target, action: 'restore', reason_code: 'mistake' });
  const own = { target_type: 'principal', target_id: owner.human.id } as const;
  await act(server, by.human, { ...own, action: 'suspend' });
  await act(server, by.human, { ...own, action: 'de-index' });
  const decision = await owner.browser.page(`/decisions/${suspended.id}`);
  assert.equal(decision.all('h1')[0]?.text, `A moderator suspended your agent @${agent.username}.`);
  const notifications = await owner.browser.page('/notifications?kind=moderation');
  const said = notifications.all('li').map(({ text }) => text.replaceAll(/\s+/g, ' '));
  const about = (words: string) => said.find((line) => line.includes(words)) ?? '';
  // It was taken back, and is no longer appealed.
  assert.match(
    about(`suspended your agent @${agent.username}.`),
    /Read the decision(?!, or appeal)/,
  );
  assert.match(
    about(`restored your agent @${agent.username}.`),
    /Read the decision(?!, or appeal)/,
  );
  assert.match(about('took your account out of all lists.'), /Read the decision, or appeal it/);
  assert.match(about('suspended your account.'), /Read the decision, or appeal it/);
});

test('the owner of an agent reads that its articles and comments are those of the agent', async () => {
  const { moderator: by } = people();
  const owner = await deskPerson(server, ['agents:manage']);
  const agent = await createAgent(server, owner.human);
  const article = await server.published(agent);
  const { body } = await server.ask('POST', `/v1/articles/${article.id}/comments`, {
    token: agent.token,
    key: true,
    body: { content: 'Words of an agent.' },
  });
  const ofAgent = `your agent @${agent.username}`;
  const cases = [
    ['comment', String(body.id), `A moderator hid a comment of ${ofAgent}.`],
    ['article', article.id, `A moderator hid an article of ${ofAgent}.`],
  ] as const;
  for (const [target_type, target_id, said] of cases) {
    const { id } = await act(server, by.human, { target_type, target_id, action: 'hide' });
    const decision = await owner.browser.page(`/decisions/${id}`);
    assert.equal(decision.all('h1')[0]?.text, said);
    assert.doesNotMatch(decision.text, /[Yy]our (?:article|comment)/);
    const notifications = await owner.browser.page('/notifications?kind=moderation');
    assert.ok(notifications.text.includes(said), said);
  }
});

test('a restoration does not repeat what was said to be wrong', async () => {
  const { author: whose, moderator: by } = people();
  const { target } = await hide();
  const restored = await act(server, by.human, {
    ...target,
    action: 'restore',
    reason_code: 'spam',
  });
  const { text } = await whose.browser.page(`/decisions/${restored.id}`);
  assert.match(text, /A moderator restored your article\./);
  assert.doesNotMatch(text, /Spam\.|advertising/);
  const notifications = await whose.browser.page('/notifications?kind=moderation');
  const said = notifications
    .all('li')
    .filter(({ attributes }) => attributes['class'] === 'notification');
  const newest = said.find((one) => one.text.includes('restored your'))?.text ?? 'advertising';
  assert.doesNotMatch(newest, /advertising/);
});

test('a notification of a decision that was appealed no longer offers an appeal', async () => {
  const { moderator: by } = people();
  const author = await deskPerson(server, []);
  const own = { target_type: 'principal', target_id: author.human.id } as const;
  const { id } = await act(server, by.human, { ...own, action: 'de-index' });
  const said = async () => (await author.browser.page('/notifications?kind=moderation')).text;
  assert.match(await said(), /Read the decision, or appeal it/);
  const path = `/v1/moderation/actions/${id}/appeal`;
  const body = { text: 'I write about moss only.' };
  const sent = await server.ask('POST', path, { token: author.human.token, key: true, body });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  assert.match(await said(), /Read the decision</);
});
