// A person with a session and something of everything, and somebody else: for tests of every page and form.
import assert from 'node:assert/strict';
import { scopes } from '@colophon/contract';
import { storeToken } from '../accounts.ts';
import { createAgent } from '../agents.ts';
import { sendAppeal } from '../appeals.ts';
import { comment } from '../comments.ts';
import { untilSettled } from '../edges.ts';
import { readyExport } from '../exports.ts';
import type { Asked, Human, TestServer } from '../harness.ts';
import { pngOf, upload } from '../media-files.ts';
import { act, aModerator } from '../moderators.ts';
import { register } from '../registered-keys.ts';
import { report } from '../reports.ts';
import { openBrowser } from '../web-session.ts';
import type { Joined, TestBrowser } from '../web-session.ts';

export interface Inhabited {
  readonly browser: TestBrowser;
  readonly joined: Joined;
  /** The account of the browser, with a token that may do everything. */
  readonly person: Human;
  readonly other: Human;
  /** Where a walk through the pages begins. */
  readonly starts: readonly string[];
}

async function make(
  server: TestServer,
  { token }: Human,
  path: string,
  body: object,
): Promise<{ readonly id: string }> {
  const asked: Asked = { token, key: true, body };
  const made = await server.ask('POST', path, asked);
  assert.ok(made.status < 300, `${path}: ${JSON.stringify(made.body)}`);
  return made.body;
}

const details = { metadata: { topics: ['Moss'], description: 'About moss.' } };

const pathOf = (url: string) => new URL(url).pathname;

/** The person’s works, agent, token and answers. */
async function write(server: TestServer, person: Human, other: Human): Promise<readonly string[]> {
  const draft = await server.draft(person, { title: 'A draft', ...details });
  const revised = { content: 'Another text.', expected_revision_id: draft.revision_id };
  await make(server, person, `/v1/articles/${draft.id}/revisions`, revised);
  const own = await server.published(person, { title: 'How I keep bees', ...details });
  const foreign = await server.published(other, { title: 'On moss', ...details });
  const agent = await createAgent(server, person);
  assert.equal((await register(server, agent)).status, 201);
  const review = await server.draft(agent, { title: 'An agent wrote this' });
  const said = await comment(server, person, foreign.id, { content: 'My comment.' });
  await comment(server, other, own.id, { content: 'Which box?', stance: 'asks' });
  await upload(server, person, 'image', pngOf(4, 4));
  const edge = { src_article_id: foreign.id, kind: 'cites', dst_article_id: own.id };
  await make(server, other, '/v1/edges', edge);
  const back = { src_article_id: own.id, kind: 'cites', dst_article_id: foreign.id };
  await make(server, person, '/v1/edges', back);
  await make(server, other, '/v1/follows', { principal_id: person.id });
  return [
    pathOf(foreign.url),
    pathOf(own.url),
    `/@${other.username}`,
    `/@${agent.username}`,
    ...['', '/publish', '/preview', '/history', '/remove'].map(
      (part) => `/write/${draft.id}${part}`,
    ),
    `/write/${own.id}/remove`,
    `/review/${review.id}`,
    `/comments/${said.id}`,
  ];
}

/** Reports on a work of somebody, an appeal by its author, and a decision about the person. */
async function moderate(server: TestServer, person: Human): Promise<readonly string[]> {
  const [moderator, writer] = [await aModerator(server), await server.register()];
  const { id: target_id } = await server.published(writer, { title: 'Reported' });
  const on = (id: string) => ({ target_type: 'article', target_id: id, action: 'warn' }) as const;
  const first = await report(server, { target_type: 'article', target_id }, person);
  await report(server, { target_type: 'article', target_id, details: 'It sells.' });
  const warning = await act(server, moderator, on(target_id));
  const appealId = await sendAppeal(server, writer, warning.id);
  const own = await server.published(person, { title: 'A work of the person’s own' });
  const decision = await act(server, moderator, { ...on(own.id), reason_text: 'Read the rules.' });
  return [
    '/moderation',
    `/moderation/reports/${first}`,
    `/moderation/next?after=${first}`,
    `/moderation/standing?ids=${first}`,
    `/moderation/appeals/${appealId}`,
    `/moderation/objects/article/${target_id}`,
    `/moderation/accounts?username=${moderator.username}`,
    `/decisions/${decision.id}`,
    '/transparency',
  ];
}

/** Pages that no page links to: they are opened by an address that somebody got, or by a redirect. */
const unlinked = [
  '/closed',
  '/articles',
  '/search?q=moss',
  '/search?q=zzzzzzzz',
  '/topics/moss',
  '/-/link',
  '/sign-in?next=/write',
  '/join',
];

/** Makes the people of a server. */
export async function settle(server: TestServer): Promise<Inhabited> {
  const browser = openBrowser(server);
  const joined = await browser.join();
  const other = await server.register();
  const me = await browser.ask('GET', '/-/v1/me');
  const { id, username } = me.body.principal;
  const person = { id, username, token: await storeToken(server, id, scopes) };
  const works = await write(server, person, other);
  const third = await server.register();
  await make(server, person, '/v1/follows', { principal_id: third.id });
  const followed = await server.published(third, { title: 'Of somebody followed' });
  const moderation = await moderate(server, person);
  await readyExport(server, person);
  await untilSettled(server);
  const starts = [
    '/',
    `/@${third.username}`,
    pathOf(followed.url),
    ...works,
    ...moderation,
    ...unlinked,
  ];
  return { browser, joined, person, other, starts };
}
