// Every page and the states that people reach: for tests of accessibility, and for screenshots.
import type { Page } from 'playwright-core';
import { storeToken } from '#test/accounts';
import type { Human, TestServer } from '#test/harness';
import type { People, Person } from './people.ts';
import { stateStops } from './tour-states.ts';
import type { Stop } from './tour-states.ts';
import { moderate, signedByAgent } from './tour-worlds.ts';
import type { Moderation, Signed } from './tour-worlds.ts';

export type { Stop } from './tour-states.ts';

/** What the pages are about. */
export interface World {
  /** The address of a published article with comments and links, without the origin. */
  readonly article: string;
  /** A signed article with two revisions: its address, and the ids of both. */
  readonly signed: Signed;
  readonly profile: string;
  readonly agentProfile: string;
  /** The page of settings of an agent of the reader. */
  readonly ownAgent: string;
  readonly topic: string;
  /** An article of the reader with changes that are not published; its two revisions. */
  readonly own: { readonly id: string; readonly from: string; readonly to: string };
  /** A draft of the reader's agent. */
  readonly agentDraft: string;
  /** Paths of the moderation desk, and of a decision about the moderator. */
  readonly moderation: Moderation;
}

const stranger = (name: string, path: string, reach?: Stop['reach']): Stop =>
  reach === undefined ? { name, path, who: 'stranger' } : { name, path, who: 'stranger', reach };

const person = (name: string, path: string, reach?: Stop['reach']): Stop => ({
  ...stranger(name, path, reach),
  who: 'person',
});

const openNewToken = (page: Page) => page.locator('#new-token > summary').click();

const settingsStops = (ownAgent: string): readonly Stop[] => [
  person('settings', '/settings'),
  person('settings-security', '/settings/security'),
  person('settings-recovered', '/settings/security?done=recovered&next=%2Ftopics'),
  person('settings-tokens', '/settings/tokens', openNewToken),
  person('settings-token-issued', '/settings/tokens', async (page) => {
    await openNewToken(page);
    await page.getByLabel('What is it for?').fill('A program');
    await page.getByRole('button', { name: 'Issue the token' }).click();
    await page.locator('#secret').waitFor();
  }),
  person('settings-agents', '/settings/agents', async (page) => {
    await page.locator('#new-agent > summary').click();
    await page.getByLabel('Username').fill('no spaces');
    await page.keyboard.press('Enter');
    await page.locator('#username-fault:not(:empty)').waitFor();
  }),
  person('settings-agent', ownAgent),
  person('settings-limits', '/settings/limits'),
  person('settings-close', '/settings/close'),
  stranger('closed', '/closed'),
];

const moderator = (name: string, path: string, reach?: Stop['reach']): Stop => ({
  ...stranger(name, path, reach),
  who: 'moderator',
});

const moderationStops = (paths: Moderation): readonly Stop[] => [
  moderator('moderation', '/moderation'),
  moderator('moderation-none', '/moderation?show=mine'),
  moderator('moderation-report', paths.report, async (page) => {
    await page.keyboard.press('1');
    await page.locator('[data-preview]').waitFor();
  }),
  moderator('moderation-appeals', '/moderation/appeals'),
  moderator('moderation-appeal', paths.appeal),
  moderator('moderation-find', '/moderation/objects'),
  moderator('moderation-object', paths.object),
  moderator('moderation-audit', '/moderation/audit'),
  moderator('moderation-account', paths.account),
  moderator('moderation-status', '/-/status'),
  moderator('decision', paths.decision),
  stranger('transparency', '/transparency'),
];

const writingStops = (own: World['own'], agentDraft: string): readonly Stop[] => [
  person('following', '/following'),
  person('write', '/write'),
  person('write-article', `/write/${own.id}`),
  person('articles', '/articles'),
  person('articles-none', '/articles?show=private'),
  person('agent-drafts', '/articles/agents'),
  person('review', `/review/${agentDraft}`),
  person('publish', `/write/${own.id}/publish`),
  person('publish-fault', `/write/${own.id}/publish`, async (page) => {
    await page.getByLabel('Topic 1', { exact: true }).fill('!');
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.locator('#topic-1-fault:not(:empty)').waitFor();
  }),
  person('preview', `/write/${own.id}/preview`),
  person('history', `/write/${own.id}/history`),
  person('changes', `/write/${own.id}/history?from=${own.from}&to=${own.to}`),
  person('remove', `/write/${own.id}/remove`),
];

/** Opens the panel of a signed article and verifies it. */
async function verify(page: Page): Promise<void> {
  await page.locator('#origin > summary').click();
  await page.getByRole('button', { name: 'Verify in this browser' }).click();
  await page.locator('.steps').waitFor();
}

const revisionStops = ({ path, first, second }: World['signed']): readonly Stop[] => [
  stranger('article-verified', path, verify),
  stranger('revisions', `${path}/revisions`),
  stranger('revisions-changes', `${path}/revisions?from=${first}&to=${second}`),
  stranger('revisions-sides', `${path}/revisions?from=${first}&to=${second}&view=sides`),
  stranger('revision', `${path}/revisions/${first}`),
  stranger('cite', `${path}/cite`),
];

/** Returns the stops of the tour. */
export function tourOf(world: World): readonly Stop[] {
  const { article, profile, agentProfile, ownAgent, topic, own, agentDraft, moderation } = world;
  return [
    stranger('front', '/'),
    stranger('trending', '/?kind=trending'),
    stranger('article', article),
    ...revisionStops(world.signed),
    stranger('graph', `${article}/graph`),
    stranger('graph-walk', `${article}/graph?depth=3&kind=extends&kind=cites`, async (page) => {
      await page.locator('#dot-0').focus();
      await page.keyboard.press('PageDown');
      await page.locator('#graph-chosen:not([hidden])').waitFor();
    }),
    stranger('profile', profile),
    stranger('agent', agentProfile),
    stranger('topics', '/topics'),
    stranger('topic', topic),
    stranger('search-empty', '/search'),
    stranger('search', '/search?q=moss'),
    stranger('search-filtered', '/search?q=moss&kind=human&disclosure=human_authored'),
    stranger('search-nothing', '/search?q=zzzzzzzz'),
    stranger('not-found', '/nothing-here'),
    stranger('docs', '/docs'),
    stranger('join', '/join'),
    stranger('join-fault', '/join', async (page) => {
      await page.getByLabel('Username').fill('no spaces');
      await page.keyboard.press('Enter');
      await page.locator('#username-fault:not(:empty)').waitFor();
    }),
    stranger('sign-in', '/sign-in'),
    stranger('link', '/-/link'),
    stranger('pieces', '/-/pieces'),
    person('front-signed-in', '/'),
    person('article-signed-in', article),
    person('profile-signed-in', profile),
    person('notifications', '/notifications'),
    person('notifications-none', '/notifications?kind=moderation'),
    ...settingsStops(ownAgent),
    ...writingStops(own, agentDraft),
    ...moderationStops(moderation),
    ...stateStops({ article, own: own.id }),
  ];
}

/** Sends JSON with the session of a person. */
async function post({ page }: Person, path: string, data: object, more = {}) {
  const { origin } = new URL(page.url());
  const headers = { origin, 'idempotency-key': crypto.randomUUID(), ...more };
  return (await page.request.post(`/-/v1${path}`, { data, headers })).json();
}

/** The agent of the reader has a draft; returns its id. */
async function draftByAgent(server: TestServer, reader: Person): Promise<string> {
  const username = `scribe-${reader.username.slice(-12)}`;
  const { principal_id: id } = await post(reader, '/agents', {
    username,
    model: 'A model',
  });
  const token = await storeToken(server, id, ['articles:read', 'articles:write']);
  const draft = await server.draft({ id, username, token }, { title: 'Notes on bees', ...small });
  return draft.id;
}

/**
 * The reader has an article, on which the writer comments, and to which an article of the writer links; it has
 * changes that are not published.
 */
async function answerReader(
  server: TestServer,
  reader: Person,
  { writer, source }: { readonly writer: Human; readonly source: string },
): Promise<World['own']> {
  const send = (path: string, data: object, more = {}) =>
    post(reader, `/articles${path}`, data, more);
  const own = await send('', { title: 'How I keep bees', content: 'In a box, with **love**.' });
  await send(`/${own.id}/publish`, { revision_id: own.revision_id });
  const asked = { token: writer.token, key: true } as const;
  const body = { content: 'Which box do you use?', stance: 'asks' };
  await server.ask('POST', `/v1/articles/${own.id}/comments`, { ...asked, body });
  const edge = { src_article_id: source, kind: 'cites', dst_article_id: own.id };
  await server.ask('POST', '/v1/edges', { ...asked, body: edge });
  const changed = { title: 'How I keep my bees', content: 'In a large box, with **love**.' };
  const expected = { 'if-match': `"${own.revision_id}"` };
  const { revision_id: to } = await send(`/${own.id}/revisions`, changed, expected);
  return { id: own.id, from: own.revision_id, to };
}

/** Creates an agent of the reader, with a token. Returns the path of its page of settings. */
async function agentOfReader(server: TestServer, { page, username }: Person): Promise<string> {
  const send = async (path: string, data: object) => {
    const headers = { origin: server.baseUrl, 'idempotency-key': crypto.randomUUID() };
    return (await page.request.post(`/-/v1${path}`, { data, headers })).json();
  };
  const name = `${username.slice(0, 20)}-helper`;
  const { principal_id } = await send('/agents', { username: name, model: 'example-large' });
  await send('/tokens', { principal_id, name: 'Runner', scopes: ['articles:write'] });
  return `/settings/agents/${name}`;
}

const small = { content: 'A short text about **moss**.\n\n## Where it grows\n\nOn stones.' };

/** Makes a small world: an article with a comment, a reply, a link and an agent’s article; and a reader. */
export async function smallWorld(
  people: People,
): Promise<{ world: World; reader: Person; moderator: Person }> {
  const { server } = people;
  const [writer, reader] = [await server.register(), await people.join()];
  const desk = await people.join();
  const metadata = { topics: ['Moss'] };
  const one = await server.published(writer, { title: 'On moss', ...small, metadata });
  const two = await server.published(writer, { title: 'On stones', ...small, metadata });
  const asWriter = { token: writer.token, key: true } as const;
  const { body: me } = await server.ask('GET', `/v1/usernames/${reader.username}`);
  const agentName = `${writer.username.slice(0, 20)}-bot`;
  await server.ask('POST', '/v1/agents', { ...asWriter, body: { username: agentName } });
  const path = `/v1/articles/${one.id}/comments`;
  const first = { content: 'What about lichen?', stance: 'asks' };
  const { body: question } = await server.ask('POST', path, { ...asWriter, body: first });
  const reply = { content: 'A _good_ question.' };
  await server.ask('POST', `/v1/comments/${question.id}/replies`, { ...asWriter, body: reply });
  const edge = { src_article_id: two.id, kind: 'extends', dst_article_id: one.id, note: 'A note.' };
  await server.ask('POST', '/v1/edges', { ...asWriter, body: edge });
  await server.ask('POST', '/v1/follows', { ...asWriter, body: { principal_id: me.id } });
  const own = await answerReader(server, reader, { writer, source: two.id });
  const agentDraft = await draftByAgent(server, reader);
  const world = {
    article: new URL(one.url).pathname,
    signed: await signedByAgent(server, writer),
    profile: `/@${writer.username}`,
    agentProfile: `/@${agentName}`,
    ownAgent: await agentOfReader(server, reader),
    topic: '/topics/moss',
    own,
    agentDraft,
    moderation: await moderate(server, desk),
  };
  return { world, reader, moderator: desk };
}
