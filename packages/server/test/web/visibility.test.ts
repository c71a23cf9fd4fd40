// No page, feed, Markdown, preview or search shows what is not public, in any state, at once and for all.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { removeLegally } from '#test/accounts';
import { createAgent } from '#test/agents';
import { closeAccount } from '#test/closing';
import { comment } from '#test/comments';
import { link, untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { fetchPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

interface Scenario {
  readonly id: string;
  readonly url: string;
  /** Words that stand nowhere else: in title, text, topic and comment. */
  readonly secret: string;
  readonly topic: string;
  readonly commentId: string;
  readonly revisionId: string;
}

let author: Human;
let owner: Human;
let moderator: Human;
let other: { readonly id: string; readonly url: string };
let count = 0;

before(async () => {
  owner = await server.register();
  author = await createAgent(server, owner);
  moderator = await aModerator(server);
  other = await server.published(owner, { title: 'The other' });
});

/** A public article that everything derived knows. */
async function publishKnown(): Promise<Scenario> {
  count += 1;
  const secret = `zebra${count}quux`;
  const topic = `topic-${count}-of-${secret}`;
  const made = await server.published(author, {
    title: `About ${secret}`,
    content: `Text with ${secret}.`,
    language: 'en',
    metadata: { topics: [topic] },
  });
  const { id: commentId } = await comment(server, owner, made.id, { content: `On ${secret}` });
  await link(server, author, [made, other]);
  return { id: made.id, url: made.url, secret, topic, commentId, revisionId: made.revision_id };
}

function patch(id: string, body: object) {
  return server.ask('PATCH', `/v1/articles/${id}`, { token: author.token, body });
}

function moderate(action: 'hide' | 'remove' | 'de-index') {
  return ({ id }: Scenario) =>
    act(server, moderator, { action, target_type: 'article', target_id: id });
}

async function setStatus(id: string, status: string): Promise<void> {
  await server.db.transaction((tx) =>
    tx.run(sql`
      update articles
      set status = ${status}, removed_at = now()
      where bucket = ${bucketOf(id)} and id = ${id}`),
  );
}

type Answer = 200 | 404 | 410 | 451;

/** What is done to a public article, and what reading it by its address answers then. */
const states: Readonly<
  Record<string, readonly [change: (scenario: Scenario) => Promise<unknown>, Answer]>
> = {
  unlisted: [({ id }) => patch(id, { visibility: 'unlisted' }), 200],
  private: [({ id }) => patch(id, { visibility: 'private' }), 404],
  hidden: [moderate('hide'), 404],
  removed: [moderate('remove'), 410],
  'de-indexed': [moderate('de-index'), 200],
  'legally removed': [({ id }) => removeLegally(server, id), 451],
  deleted: [({ id }) => server.ask('DELETE', `/v1/articles/${id}`, { token: author.token }), 410],
  unpublished: [({ id }) => setStatus(id, 'unpublished'), 410],
  erased: [
    ({ id }) =>
      server.ask('POST', `/v1/articles/${id}/erase`, {
        token: author.token,
        body: { confirm: 'erase' },
      }),
    410,
  ],
};

/** Places that an article is listed in while it is public. */
function lists({ secret, topic }: Scenario): readonly string[] {
  const formats = ['atom', 'rss', 'json'].map((format) => `feed.${format}`);
  return [
    ...['/', `/@${author.username}/`].flatMap((below) => formats.map((file) => below + file)),
    '/',
    '/?kind=trending',
    `/@${author.username}`,
    `/@${owner.username}`,
    '/topics',
    `/topics/${topic}`,
    ...formats.map((file) => `/topics/${topic}/${file}`),
    other.url,
    ...['article', 'comment', 'principal'].map((type) => `/search?q=${secret}&type=${type}`),
  ];
}

/** Places that are of the article itself. */
function own({ url, id, commentId, revisionId }: Scenario): readonly string[] {
  return [
    url,
    `${url}.md`,
    `${url}/comments.atom`,
    `${url}/revisions`,
    `${url}/revisions?to=${revisionId}&view=sides`,
    `${url}/revisions/${revisionId}`,
    `${url}/cite`,
    `${url}/cite?format=bibtex`,
    `${url}/graph`,
    `/@${author.username}/${id}`,
    `/@${author.username}/old-${id}.md`,
    `/oembed?url=${encodeURIComponent(url)}`,
    `/oembed?url=${encodeURIComponent(url)}&format=xml`,
    `/comments/${commentId}`,
  ];
}

/** Without what the caller has sent: a query is shown to the person who typed it. */
function shows(text: string, scenario: Scenario): boolean {
  const { secret } = scenario;
  return text
    .replaceAll(`value="${secret}"`, '')
    .replaceAll(`Search for ${secret}`, '')
    .replaceAll(new RegExp(`q(?:=|&#61;)${secret}`, 'g'), '')
    .includes(secret);
}

async function expectHidden(scenario: Scenario, answer: Answer, name: string): Promise<void> {
  for (const accept of ['text/html', '*/*', 'text/markdown']) {
    for (const place of own(scenario)) {
      const page = await fetchPage(server, place, { accept });
      if (answer === 200) {
        assert.ok([200, 301].includes(page.status), `${name}: ${place} ${page.status}`);
        if (page.status === 200) assert.equal(page.headers.get('x-robots-tag'), 'noindex', place);
        continue;
      }
      assert.equal(page.status, answer, `${name}: ${place}`);
      // The address is what the asker has sent.
      const all = page.text + JSON.stringify([...page.headers]);
      const told = all.replaceAll(`about-${scenario.secret}`, '');
      assert.ok(!told.includes(scenario.secret), `${name}: ${place} reveals it`);
    }
  }
}

async function expectUnlisted(scenario: Scenario, name: string): Promise<void> {
  for (const place of lists(scenario)) {
    const page = await fetchPage(server, place);
    if (page.status === 404 && place.startsWith('/topics/')) continue;
    assert.equal(page.status, 200, `${name}: ${place}`);
    const [listed] = place.startsWith('/topics')
      ? [page.text.replaceAll(scenario.topic, '')]
      : [page.text];
    assert.ok(!shows(listed ?? '', scenario), `${name}: ${place} shows it`);
  }
}

test('a public article is in all these places: the places are right', async () => {
  const scenario = await publishKnown();
  await untilSettled(server);
  for (const place of own(scenario)) {
    const page = await fetchPage(server, place);
    assert.ok([200, 301].includes(page.status), place);
  }
  const seen: string[] = [];
  for (const place of lists(scenario)) {
    if (shows((await fetchPage(server, place)).text, scenario)) seen.push(place);
  }
  const nowhere = lists(scenario).filter((place) => !seen.includes(place));
  assert.deepEqual(nowhere, [`/@${owner.username}`, `/search?q=${scenario.secret}&type=principal`]);
});

for (const [name, [change, answer]] of Object.entries(states)) {
  test(`${answer} ${name}: between the change and its subscribers, and after them`, async () => {
    const scenario = await publishKnown();
    await untilSettled(server);
    await change(scenario);
    await expectHidden(scenario, answer, name);
    await expectUnlisted(scenario, name);
    await untilSettled(server);
    await expectHidden(scenario, answer, name);
    await expectUnlisted(scenario, name);
  });
}

test('404 a draft: nothing of it is anywhere', async () => {
  const secret = 'draftsecret';
  const made = await server.draft(author, {
    title: `About ${secret}`,
    content: secret,
    metadata: { topics: [secret] },
  });
  const { id, url, revision_id: revisionId } = made;
  const scenario = { id, url, secret, topic: secret, commentId: id, revisionId };
  await expectHidden(scenario, 404, 'draft');
  await expectUnlisted(scenario, 'draft');
});

test('410 the page and feeds of a closed account; its works are under a pseudonym at once', async () => {
  const leaving = await server.register();
  const named = { display_name: 'Leaving Person' };
  await server.ask('PATCH', `/v1/principals/${leaving.id}`, { token: leaving.token, body: named });
  const made = await server.published(leaving, { title: 'What stays' });
  await untilSettled(server);
  assert.equal((await closeAccount(server, leaving, 'pseudonymise')).status, 200);
  for (const file of ['', '/feed.atom', '/feed.rss', '/feed.json'])
    assert.equal((await fetchPage(server, `/@${leaving.username}${file}`)).status, 410, file);
  const places = ['/', '/feed.atom', '/feed.json', `/search?q=${leaving.username}&type=principal`];
  for (const place of places) {
    const { text } = await fetchPage(server, place);
    assert.ok(!text.includes('Leaving Person'), place);
  }
  const moved = await fetchPage(server, made.url);
  assert.equal(moved.status, 301);
  const page = await fetchPage(server, moved.headers.get('location') ?? '');
  assert.equal(page.status, 200);
  assert.ok(!page.text.includes('Leaving Person') && !page.text.includes(leaving.username));
});

test('a comment that was hidden shows nowhere', async () => {
  const scenario = await publishKnown();
  const { id } = await comment(server, owner, scenario.id, { content: 'hiddenwords' });
  await untilSettled(server);
  await act(server, moderator, { action: 'hide', target_type: 'comment', target_id: id });
  const places = [
    scenario.url,
    `${scenario.url}/comments.atom`,
    `/search?q=hiddenwords&type=comment`,
  ];
  for (const place of places) {
    const { text } = await fetchPage(server, place);
    assert.ok(
      !text
        .replaceAll(/(?:value="|Search for |q(?:=|&#61;))hiddenwords/g, '')
        .includes('hiddenwords'),
      place,
    );
  }
});
