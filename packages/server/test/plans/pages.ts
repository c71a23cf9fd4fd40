// Requests of pages, feeds and files: everything that links and forms lead to, for a stranger and for a busy person.
import assert from 'node:assert/strict';
import { send } from '../forms/disguises.ts';
import { inOrder, sendingOfPerson } from '../forms/person-sends.ts';
import { searchesIn } from '../forms/shown-forms.ts';
import type { ShownField } from '../forms/shown-forms.ts';
import { formsOf, walk } from '../forms/walk.ts';
import type { MetForm, MetPage } from '../forms/walk.ts';
import type { TestServer } from '../harness.ts';
import { fetchPage } from '../page.ts';
import type { FetchedPage } from '../page.ts';
import { feedFormats } from '../../src/web/components/page-frame.ts';
import type { BusyWorld } from './world.ts';

/** How many pages are visited whose addresses differ in their values only. */
const ofKind = 1;

/** Of a field with very many choices, such as a language, some tell as much as all. */
const choicesMax = 6;

const pathOf = (url: string) => new URL(url).pathname;

/** Pages about what is busy. Links lead from them to the rest. */
function busyPages({ world, people, article, comment, topic, samples }: BusyWorld): string[] {
  const { human } = world;
  const at = pathOf(article.url);
  const own = samples.get('createRevision')?.params['id'] ?? '';
  return [
    at,
    ...['/cite', '/graph?depth=3', '/revisions', `/revisions/${article.revision_id}`].map(
      (part) => `${at}${part}`,
    ),
    `${at}?order=newest`,
    `${at}?stance=asks`,
    `${at}?link=title`,
    `${at}?reply=${comment.id}`,
    `/@${human.username}`,
    `/topics/${topic}`,
    `/comments/${comment.id}`,
    `/search?q=text`,
    `/search?q=${encodeURIComponent(`@${human.username}`)}`,
    ...['comment', 'principal'].map((type) => `/search?q=text&type=${type}`),
    `/moderation/objects?id=${article.id}`,
    `/moderation/accounts?username=${human.username}`,
    ...[`article/${article.id}`, `principal/${human.id}`, `comment/${comment.id}`].map(
      (object) => `/moderation/objects/${object}`,
    ),
    `/report?type=article&id=${article.id}`,
    ...['', '/history', '/preview', '/publish', '/remove'].map((part) => `/write/${own}${part}`),
    `/write/${article.id}/history`,
    ...people.starts,
    '/-/status',
    '/-/pieces',
    '/account',
  ];
}

/** What is not linked from a page: for programs, crawlers and operators. */
function filesOf({ world, article, topic, samples }: BusyWorld): readonly string[] {
  const at = pathOf(article.url);
  const name = world.human.username;
  const media = samples.get('readMedia')?.params['id'] ?? '';
  const feeds = ['', `/@${name}`, `/topics/${topic}`].flatMap((below) =>
    Object.keys(feedFormats).map((format) => `${below}/feed.${format}`),
  );
  return [
    ...feeds,
    `${at}/comments.atom`,
    `${at}.md`,
    ...['bibtex', 'csl-json', 'ris'].map((format) => `${at}/cite?format=${format}`),
    `/og/${article.id}.png`,
    `/oembed?url=${encodeURIComponent(article.url)}`,
    `/media/${media}`,
    `/-/desk/v1/media/${media}/content`,
    '/sitemap.xml',
    '/sitemaps/1.xml',
    '/robots.txt',
    '/llms.txt',
    '/favicon.ico',
    '/docs',
    '/docs.md',
    '/docs/agents',
    '/docs/agents.md',
    '/docs/api.md',
    '/errors/not-found',
    '/errors/style.css',
    '/v1/openapi.json',
    '/log/checkpoint',
    '/healthz',
    '/readyz',
    '/readyz?role=worker',
    '/metrics',
    '/-/passkeys',
    '/-/sessions',
    '/-/v1/me',
    '/-/join/username?username=a-name-that-is-free',
  ];
}

/** What a person types into the field of a search, and each choice that it offers. */
function valuesOf(
  { name, type, value, options }: ShownField,
  { world, topic }: BusyWorld,
): readonly string[] {
  if (options.length > 0) return options.slice(0, choicesMax);
  if (type === 'radio' || type === 'checkbox') return [value];
  const { id, username } = world.human;
  const typed: Readonly<Record<string, string>> = {
    q: 'text',
    topic,
    author: username,
    username,
    actor: username,
    action: 'read',
    target_type: 'article',
    target_id: id,
    id,
    language: 'en',
    link: 'title',
    since: '2026-01-01',
    until: '2099-01-01',
  };
  return [typed[name ?? ''] ?? value];
}

/** The addresses that the searches of a page lead to, each of their fields set alone beside what they send anyway. */
function searchesOf({ path, page }: MetPage, busy: BusyWorld): readonly string[] {
  return searchesIn(page.text).flatMap(({ action, fields }) => {
    const sent = fields.filter(({ isSent }) => isSent);
    return fields
      .filter(({ name, tag }) => name !== undefined && tag !== 'button')
      .flatMap((field) =>
        valuesOf(field, busy).map((chosen) => {
          const query = new URLSearchParams(sent.map(({ name = '', value }) => [name, value]));
          query.set(field.name ?? '', chosen);
          const { pathname } = new URL(action, `http://any.example${path}`);
          return `${pathname}?${query}`;
        }),
      );
  });
}

type Fetch = (path: string) => Promise<FetchedPage>;

/** Follows the links and searches of the pages, as one reader. */
async function readPages(busy: BusyWorld, fetch: Fetch): Promise<readonly MetPage[]> {
  const { server } = busy.world;
  const own = { server, fetch, ofKind };
  const met = await walk({ ...own, starts: [...new Set(busyPages(busy))] });
  const found = met.flatMap((page) => searchesOf(page, busy));
  return [...met, ...(await walk({ ...own, starts: [...new Set(found)] }))];
}

/** Sends what has an entity tag a second time, as those do who keep it. */
async function askAgain(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  path: string,
  headers: Record<string, string>,
  tag: string | null,
): Promise<void> {
  if (tag === null) return;
  const again = { redirect: 'manual', headers: { ...headers, 'if-none-match': tag } } as const;
  await (await fetch(baseUrl + path, again)).arrayBuffer();
}

/** Fetches pages and files as one reader. */
function reader(server: TestServer, headersOf: () => Record<string, string>) {
  const page: Fetch = async (path) => {
    const headers = headersOf();
    const fetched = await fetchPage(server, path, headers);
    assert.ok(fetched.status < 500, `${fetched.status} ${path}`);
    await askAgain(server, path, headers, fetched.headers.get('etag'));
    return fetched;
  };
  const file = async (path: string) => {
    const headers = headersOf();
    const response = await fetch(server.baseUrl + path, { redirect: 'manual', headers });
    await response.arrayBuffer();
    // No worker runs yet.
    assert.ok(response.status < 500 || path.startsWith('/readyz'), `${response.status} ${path}`);
    await askAgain(server, path, headers, response.headers.get('etag'));
  };
  return { page, file };
}

/** Returns the path of the first entries of the log, as many as it has. */
async function entriesOfLog({ server }: BusyWorld['world']): Promise<string> {
  const { body } = await server.ask('GET', '/log/checkpoint');
  const size = Number(String(body).split('\n')[1]);
  return `/log/tile/entries/000${size < 256 ? `.p/${size}` : ''}`;
}

/** Sends every read of the web, as a stranger and as the busy person. Returns the pages of the person. */
export async function sendPages(busy: BusyWorld): Promise<readonly MetPage[]> {
  const { server } = busy.world;
  const { browser } = busy.people;
  const own = { origin: server.baseUrl, 'sec-fetch-site': 'same-origin' };
  const stranger = reader(server, () => ({}));
  const person = reader(server, () => ({ ...own, cookie: browser.cookie() ?? '' }));
  let met: readonly MetPage[] = [];
  for (const { page, file } of [stranger, person]) {
    met = await readPages(busy, page);
    for (const path of [...filesOf(busy), await entriesOfLog(busy.world)]) await file(path);
    await file(/href="(\/assets\/[^"]+)"/.exec(met[0]?.page.text ?? '')?.[1] ?? '');
  }
  return met;
}

/** Sends one form of every kind that the pages show. The busy account stays: closing it takes a million steps. */
export async function sendForms(busy: BusyWorld, pages: readonly MetPage[]): Promise<void> {
  const { server } = busy.world;
  const { browser } = busy.people;
  const kinds = new Map<string, MetForm>();
  for (const form of formsOf(pages))
    if (form.name !== 'close') kinds.set(`${form.pattern} ${form.name}`, form);
  for (const form of inOrder([...kinds.values()])) {
    const sending = sendingOfPerson(form);
    const { status } = await send(server, browser.cookie(), sending);
    assert.ok(status < 500, `${sending.what}: ${status}`);
  }
}
