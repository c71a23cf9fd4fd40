// The first version of an article: created once, however often the command is interrupted and repeated.
import { limits } from '@colophon/contract';
import type { BodyAnswer, ProblemError } from '@colophon/sdk';
import type { Context } from '../context.ts';
import { ownId } from '../targets.ts';
import { writeBack } from './manuscript.ts';
import type { Manuscript } from './manuscript.ts';
import { openPending } from './pending.ts';
import type { Creation, Pending } from './pending.ts';

export type Created = Pick<BodyAnswer<'createArticle'>, 'id' | 'revision_id'>;

/** The service forgets keys after this time; an hour less, for clocks that differ. */
const replayMs = (limits.idempotency_hours - 1) * 3_600_000;
const clockMs = 300_000;

function isFinal(error: unknown): boolean {
  if (!(error instanceof Error && error.name === 'ProblemError')) return false;
  const { source, retryable, outcomeUnknown } = error as ProblemError;
  return source === 'service' && !retryable && !outcomeUnknown;
}

const refusals: ReadonlySet<string> = new Set([
  'unauthenticated',
  'insufficient-scope',
  'forbidden',
]);

/** Whether the caller was refused before the service looked at the request: an earlier one may have succeeded. */
function isRefusal(error: unknown): boolean {
  return refusals.has((error as ProblemError).problem.name);
}

/** Looks for an article that a request without an answer may have created, when its key is forgotten. */
async function findCreated(
  context: Context,
  { input, started_at }: Creation,
): Promise<Created | undefined> {
  const client = await context.client();
  const since = Date.parse(started_at) - clockMs;
  const author = await ownId(context);
  for await (const article of client.each.listArticles({ author, status: 'draft', limit: 100 })) {
    const {
      id,
      title,
      created_at,
      latest_revision_id: revision_id = article.revision_id,
    } = article;
    if (title !== input.title || Date.parse(created_at) < since) continue;
    const { content } = await client.readRevision({ id, revision_id });
    if (content === input.content) return { id, revision_id };
  }
  return undefined;
}

async function replay(context: Context, creation: Creation): Promise<Created | undefined> {
  const isForgotten = Date.now() - Date.parse(creation.started_at) > replayMs;
  if (isForgotten) return findCreated(context, creation);
  const client = await context.client();
  return client.createArticle(creation.input, { idempotencyKey: creation.key });
}

async function createOnce(
  context: Context,
  pending: Pending,
  { text, settings }: Manuscript,
): Promise<Created> {
  const input = { ...text, ...settings };
  const creation = { key: context.key('create'), input, started_at: new Date().toISOString() };
  await pending.write(creation);
  const client = await context.client();
  return client.createArticle(input, { idempotencyKey: creation.key });
}

/**
 * Creates the article of a manuscript and writes its id into the file. The request is recorded first. If an
 * earlier invocation was interrupted between request and file, that request is replayed in place of a new one.
 */
export async function createFrom(context: Context, manuscript: Manuscript): Promise<Created> {
  const pending = await openPending(context, manuscript.name);
  const earlier = await pending.read();
  try {
    const found = earlier === undefined ? undefined : await replay(context, earlier);
    const { id, revision_id } = found ?? (await createOnce(context, pending, manuscript));
    await writeBack(context.terminal, manuscript.name, { id, revision_id });
    await pending.remove();
    return { id, revision_id };
  } catch (error) {
    if (isFinal(error) && (earlier === undefined || !isRefusal(error))) await pending.remove();
    throw error;
  }
}
