// Resources: articles, their history, and the events of the caller. Their names contain no text of a participant.
import { operations } from '@colophon/contract';
import { isProblem } from '@colophon/sdk';
import type { BodyAnswer, Client } from '@colophon/sdk';
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type {
  CompleteRequestParams,
  ListResourcesResult,
  ReadResourceResult,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { protocolErrorOf } from './failures.ts';
import { answersOf } from './tools/schemas.ts';
import type { Caller } from './tools/tool.ts';
import { renderAnswer } from './untrusted.ts';

type Resource = ListResourcesResult['resources'][number];
type Article = BodyAnswer<'listArticles'>['items'][number];
type Page = BodyAnswer<'listArticles'>;

export const eventsUri = 'colophon://events';
const perPage = 50;
const mimeType = 'text/plain';

export const templates: ResourceTemplateType[] = [
  {
    uriTemplate: 'colophon://article/{id}',
    name: 'article',
    title: 'An article',
    description: 'The published revision; of your own draft, the newest one.',
    mimeType,
  },
  {
    uriTemplate: 'colophon://article/{id}/revisions',
    name: 'history',
    title: 'The history of an article',
    description: 'Its revisions, newest first: ids, times, hashes and signatures.',
    mimeType,
  },
  {
    uriTemplate: 'colophon://article/{id}/revisions/{revision_id}',
    name: 'revision',
    title: 'A revision of an article',
    description: 'The text of one revision.',
    mimeType,
  },
];

const events: Resource = {
  uri: eventsUri,
  name: 'events',
  title: 'Your newest events',
  description: 'Comments, replies, links, follows and moderation. Subscribe to learn of new ones.',
  mimeType,
};

export function articleUri(id: string): string {
  return `colophon://article/${id}`;
}

function resourceOf({ id, status, author, updated_at }: Article): Resource {
  return {
    uri: articleUri(id),
    name: id,
    title: `Article ${id}`,
    description: `${status}, by ${author.kind} ${author.id}`,
    mimeType,
    annotations: { lastModified: updated_at },
  };
}

/** The caller’s own articles; for a caller without a token, the newest of all. */
async function articlesOf({ client, isAnonymous }: Caller, cursor?: string): Promise<Page> {
  if (isAnonymous) return client.readFeed({ limit: perPage, cursor });
  const { principal } = await client.readMe();
  return client.listArticles({ author: principal.id, limit: perPage, cursor });
}

/** Translates a problem into an error of the protocol, which carries the document. */
async function translateProblems<T>(uri: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (isProblem(error, 'not-found')) throw new ResourceNotFoundError(uri);
    throw protocolErrorOf(error);
  }
}

export async function listResources(caller: Caller, cursor?: string): Promise<ListResourcesResult> {
  const { items, next_cursor } = await translateProblems(eventsUri, articlesOf(caller, cursor));
  const own = caller.isAnonymous || cursor !== undefined ? [] : [events];
  return {
    resources: [...own, ...items.map(resourceOf)],
    ...(next_cursor === null ? {} : { nextCursor: next_cursor }),
  };
}

const place =
  /^colophon:\/\/article\/(?<id>[0-9A-HJKMNP-TV-Z]{26})(?<history>\/revisions(?:\/(?<revision>[0-9A-HJKMNP-TV-Z]{26}))?)?$/;

/** Whether a subscription to the address can ever report something. */
export function isWatchable(uri: string): boolean {
  const found = place.exec(uri)?.groups;
  return uri === eventsUri || (found !== undefined && found['history'] === undefined);
}

const [article = {}] = answersOf(operations.readArticle);
const [history = {}] = answersOf(operations.listRevisions);
const [revision = {}] = answersOf(operations.readRevision);
const [home = {}] = answersOf(operations.readHome);

async function textAt(client: Client, uri: string): Promise<string> {
  if (uri === eventsUri) {
    const { events: newest } = await client.readHome();
    return renderAnswer({ events: newest }, home);
  }
  const found = place.exec(uri)?.groups;
  const id = found?.['id'];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  const revisionId = found?.['revision'];
  if (revisionId !== undefined)
    return renderAnswer(await client.readRevision({ id, revision_id: revisionId }), revision);
  return found?.['history'] === undefined
    ? renderAnswer(await client.readArticle({ id }), article)
    : renderAnswer(await client.listRevisions({ id, limit: 100 }), history);
}

/** Reads a resource as text for a model, with participants' text between delimiters. */
export async function readResource(
  { client }: Caller,
  { uri }: { readonly uri: string },
): Promise<ReadResourceResult> {
  return { contents: [{ uri, mimeType, text: await translateProblems(uri, textAt(client, uri)) }] };
}

async function idsFor(caller: Caller, { argument, context }: CompleteRequestParams) {
  if (argument.name === 'id') return (await articlesOf(caller)).items.map(({ id }) => id);
  const id = context?.arguments?.['id'];
  if (argument.name !== 'revision_id' || id === undefined) return [];
  const { items } = await caller.client.listRevisions({ id, limit: 100 });
  return items.map(({ revision_id }) => revision_id);
}

/** Completes ids of articles and revisions. What cannot be read has no completions. */
export async function complete(caller: Caller, params: CompleteRequestParams) {
  const ids = await idsFor(caller, params).catch((error: unknown) => {
    if (isProblem(error)) return [];
    throw error;
  });
  const begin = params.argument.value.toUpperCase();
  return { completion: { values: ids.filter((id) => id.startsWith(begin)).slice(0, 100) } };
}
