// Asks a recorded site every operation that reads, as each kind of reader, with all pages of its lists.
import { operationList } from '@colophon/contract';
import type { OperationName, Operations } from '@colophon/contract';
import type { Caller } from './caller.ts';
import type { Reading } from './fill.ts';
import type { Site } from './site/index.ts';
import { foundWord } from './site/works.ts';

/** The operations that read, but the one that describes the program and nothing that is stored. */
type Reads = Exclude<
  { [N in OperationName]: Operations[N]['method'] extends 'GET' ? N : never }[OperationName],
  'readMeta'
>;
type Paths = readonly string[];

/** What is read besides the site itself. */
export interface Recorded extends Site {
  readonly exports: Readonly<Record<string, string>>;
  /** The end of what is read from lists of everybody's articles: later ones wait for the pipeline. */
  readonly until: string;
}

const each = (ids: Iterable<string>, path: string, ...queries: readonly string[]): Paths =>
  [...ids].flatMap((id) => ['', ...queries].map((query) => path.replace('ID', id) + query));

function articlePaths({ works, people, closed }: Recorded) {
  const ids = [
    ...Object.values(works).map(({ id }) => id),
    ...Object.values(closed).map(({ article }) => article),
  ];
  const { main, signed, signedRevoked, signedCompromised, erased, private: own, legal } = works;
  const few = [main, own, legal, erased].map(({ id }) => id);
  const revisions = [main, signed, signedRevoked, signedCompromised, erased, own, legal];
  const of = (path: string) =>
    revisions.map(({ id, revision_id }) => `/v1/articles/${id}/revisions/${revision_id}${path}`);
  return {
    readArticle: [
      ...each(ids, '/v1/articles/ID'),
      // Not view=spotlight: it marks every word with a random marker.
      ...each([main.id], '/v1/articles/ID', '?view=latest'),
    ],
    listRevisions: each(ids, '/v1/articles/ID/revisions'),
    readRevision: of(''),
    readProof: of('/proof'),
    readDiff: [`/v1/articles/${main.id}/diff?from=FIRST&to=${main.revision_id}`],
    readProcessing: each(few, '/v1/articles/ID/processing'),
    readStances: each(few, '/v1/articles/ID/stances'),
    readGraph: each(few, '/v1/articles/ID/graph', '?depth=2'),
    listArticleEdges: [
      ...each(few, '/v1/articles/ID/edges', '?direction=in'),
      ...each([works.answer.id], '/v1/articles/ID/edges', '?kind=cites'),
    ],
    listComments: [
      ...each([...few, works.quiet.id], '/v1/articles/ID/comments'),
      ...each(
        [main.id],
        '/v1/articles/ID/comments',
        '?stance=supports',
        `?author=${people.ben.id}`,
      ),
    ],
  } satisfies Partial<Record<Reads, Paths>>;
}

function listPaths({ people, files, until }: Recorded) {
  const { ann, ben, quill } = people;
  const [month] = until.match(/^\d{4}-\d{2}/) ?? [];
  const end = `until=${encodeURIComponent(until)}`;
  return {
    listArticles: [
      `/v1/articles?${end}`,
      `/v1/articles?topic=ferns&${end}`,
      `/v1/articles?signed=true&${end}`,
      ...[ann, quill].map(({ id }) => `/v1/articles?author=${id}`),
      `/v1/articles?author=${ann.id}&status=draft`,
      `/v1/articles?author=${ann.id}&visibility=private`,
    ],
    readFeed: [
      ...['latest', 'trending', 'following'].map((kind) => `/v1/feed?kind=${kind}&${end}`),
      `/v1/feed?topic=ferns&${end}`,
    ],
    search: ['article', 'comment', 'principal'].flatMap((type) =>
      [foundWord, 'fern', 'quill'].map((word) => `/v1/search?q=${word}&type=${type}`),
    ),
    listTopics: ['/v1/topics', '/v1/topics?order=size'],
    readTopic: ['/v1/topics/ferns'],
    listEdges: [`/v1/edges?dst_uri=${encodeURIComponent('https://example.org/moss')}`],
    listEvents: [
      '/v1/events',
      '/v1/events?type=moderation.action',
      `/v1/events?principal_id=${quill.id}`,
    ],
    readHome: ['/v1/home'],
    listMedia: ['/v1/media', '/v1/media?status=ready'],
    readMedia: each(Object.values(files), '/v1/media/ID'),
    readMediaContent: each(Object.values(files), '/v1/media/ID/content', '?w=320'),
    listOwnComments: ['/v1/comments'],
    listModerationStatements: [`/v1/moderation/actions?month=${month}`],
    readModerationStatistics: [
      `/v1/moderation/statistics?month=${month}`,
      `/v1/moderation/statistics?month=${month}&format=csv`,
    ],
    listAgents: ['/v1/agents'],
    listPrincipalAgents: each([ann.id, ben.id], '/v1/principals/ID/agents'),
  } satisfies Partial<Record<Reads, Paths>>;
}

function otherPaths({ people, closed, comments, edges, exports, desk, works, files }: Recorded) {
  const { ann, ben, quill, dora } = people;
  const everyone = [...Object.values(people), ...Object.values(closed)];
  const said = [...Object.values(comments), ...Object.values(closed).map(({ comment }) => comment)];
  const audited = ['hide', 'remove', 'suspend', 'grant', 'trust', 'restore'];
  return {
    readPrincipal: each(
      everyone.map(({ id }) => id),
      '/v1/principals/ID',
    ),
    readUsername: each(
      everyone.map(({ username }) => username),
      '/v1/usernames/ID',
    ),
    listFollowers: each([ann.id, ben.id], '/v1/principals/ID/followers'),
    listFollowing: each([ben.id, quill.id], '/v1/principals/ID/following'),
    readQuota: each([ann.id, quill.id], '/v1/principals/ID/quota'),
    listKeys: each([quill.id, people.idle.id], '/v1/agents/ID/keys'),
    readMe: ['/v1/me'],
    listTokens: ['/v1/tokens', `/v1/tokens?principal_id=${quill.id}`],
    readComment: each(said, '/v1/comments/ID'),
    listReplies: each([comments.first, comments.hidden], '/v1/comments/ID/replies'),
    readEdge: each(Object.values(edges), '/v1/edges/ID'),
    listExports: ['/v1/exports'],
    readExport: each(Object.values(exports), '/v1/exports/ID'),
    readExportContent: each(Object.values(exports), '/v1/exports/ID/content'),
    listReports: ['open', 'reviewing', 'actioned', 'rejected'].map(
      (status) => `/v1/moderation/reports?status=${status}`,
    ),
    readReport: each(Object.values(desk.reports), '/v1/moderation/reports/ID'),
    listAppeals: ['open', 'upheld', 'rejected'].map(
      (status) => `/v1/moderation/appeals?status=${status}`,
    ),
    readAppeal: each(Object.values(desk.appeals), '/v1/moderation/appeals/ID'),
    listModerationHistory: [
      ...each([works.hidden.id, works.restored.id], '/v1/moderation/history/article/ID'),
      `/v1/moderation/history/principal/${dora.id}`,
      `/v1/moderation/history/comment/${comments.hidden}`,
      `/v1/moderation/history/media/${files.hidden}`,
    ],
    // Reading as a moderator is an act of its own, which is in the list without a filter.
    listAudit: audited.map((action) => `/v1/audit?action=${action}`),
  } satisfies Partial<Record<Reads, Paths>>;
}

function pathsOf(recorded: Recorded): Readonly<Record<Reads, Paths>> {
  return { ...articlePaths(recorded), ...listPaths(recorded), ...otherPaths(recorded) };
}

/** The readers of everything, and those who are refused the same way everywhere. */
function readersOf({ people, tokens }: Recorded) {
  const { ann, ben, quill, cat, max, dora } = people;
  return {
    all: [null, ann.token, ben.token, quill.token, max.token],
    some: [cat.token, dora.token, tokens.limited, tokens.revoked],
  };
}

const pageSize = 2;
const pagesMax = 12;
const lists: ReadonlySet<string> = new Set(
  operationList.filter(({ query }) => query && 'limit' in query).map(({ name }) => name),
);

function addressOf(name: Reads, path: string, next: string | null): string {
  const url = new URL(path, 'http://x');
  if (lists.has(name)) url.searchParams.set('limit', String(pageSize));
  if (next !== null) url.searchParams.set(name === 'listEvents' ? 'since' : 'cursor', next);
  return url.pathname + url.search;
}

/** Reads what is at the path, and if it is a list, the pages that follow by their cursors. */
async function readPages(caller: Caller, name: Reads, path: string, token: string | null) {
  const readings: Reading[] = [];
  let next: string | null = null;
  do {
    const asked = addressOf(name, path, next);
    const { status, body } = await caller.ask('GET', asked, { token });
    if (status === 400 || status >= 500) throw new Error(`${asked}: ${JSON.stringify(body)}`);
    readings.push({ path: asked, token, status, body });
    next = (body['next_cursor'] as string | null | undefined) ?? null;
  } while (next !== null && readings.length < pagesMax);
  return readings;
}

/** Whether an answer contains something: a list may be empty for one reader, not for all. */
function isFilled({ status, body }: Reading): boolean {
  const { items } = body as { items?: readonly unknown[] };
  return status === 200 && (items === undefined || items.length > 0);
}

/** Reads all of it. @throws Error for a server fault, or for an operation that returned nothing to anybody */
export async function readAll(caller: Caller, recorded: Recorded): Promise<readonly Reading[]> {
  const { all, some } = readersOf(recorded);
  const revisions = await caller.done('GET', `/v1/articles/${recorded.works.main.id}/revisions`);
  const [first] = (revisions['items'] as readonly { revision_id: string }[]).slice(-1);
  const readings: Reading[] = [];
  for (const [name, paths] of Object.entries(pathsOf(recorded)) as [Reads, Paths][]) {
    const before = readings.length;
    for (const [at, written] of paths.entries()) {
      const path = written.replace('FIRST', first?.revision_id ?? '');
      for (const token of at === 0 ? [...all, ...some] : all)
        readings.push(...(await readPages(caller, name, path, token)));
    }
    if (!readings.slice(before).some(isFilled))
      throw new Error(`${name} answered nothing: ${JSON.stringify(readings.at(-1))}`);
  }
  return readings;
}
