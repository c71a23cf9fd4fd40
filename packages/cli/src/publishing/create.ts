// The first version of an article: created once, however often the command is interrupted and repeated.
import { limits } from '@colophon/contract';
import type { BodyAnswer, ProblemError } from '@colophon/sdk';
import type { Context } from '../context.ts';
import { ownId } from '../targets.ts';
import { readManuscript, writeBack } from './manuscript.ts';
import type { Manuscript } from './manuscript.ts';
import { openPending } from './pending.ts';
import type { Creation, Pending } from './pending.ts';

type Created = Pick<BodyAnswer<'createArticle'>, 'id' | 'revision_id'>;

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

function creationOf(context: Context, { text, settings }: Manuscript): Creation {
  const input = { ...text, ...settings };
  return { key: context.key('create'), input, started_at: new Date().toISOString() };
}

interface Attempt {
  readonly creation: Creation;
  /** Whether another invocation recorded it: one that was interrupted, or that runs now. */
  readonly isOther: boolean;
}

/**
 * Records the creation of this invocation, or returns the one that is recorded. Returns the id of the article if
 * another invocation created it after the manuscript was read.
 */
async function begin(
  context: Context,
  pending: Pending,
  manuscript: Manuscript,
): Promise<Attempt | string> {
  const creation = creationOf(context, manuscript);
  while (!(await pending.record(creation))) {
    const other = await pending.read();
    if (other !== undefined) return { creation: other, isOther: true };
  }
  // An invocation writes the id into the file before it removes its record, which was removed by now.
  const { id } = await readManuscript(context.terminal, manuscript.name);
  if (id === undefined) return { creation, isOther: false };
  await pending.remove(creation);
  return id;
}

/** Creates the article. A creation that another invocation recorded is replayed with its key. */
async function create(
  context: Context,
  pending: Pending,
  { creation, isOther }: Attempt,
): Promise<Created | undefined> {
  try {
    if (isOther) return await replay(context, creation);
    const client = await context.client();
    return await client.createArticle(creation.input, { idempotencyKey: creation.key });
  } catch (error) {
    if (isFinal(error) && !(isOther && isRefusal(error))) await pending.remove(creation);
    throw error;
  }
}

/**
 * Creates the article of a manuscript, writes its id into the file and returns it. The request is recorded first. If an
 * earlier invocation was interrupted between request and file, or another one runs now, its request is replayed in
 * place of a new one.
 */
export async function createFrom(context: Context, manuscript: Manuscript): Promise<string> {
  const { name } = manuscript;
  const pending = await openPending(context, name);
  const attempt = await begin(context, pending, manuscript);
  if (typeof attempt === 'string') return attempt;
  const created = await create(context, pending, attempt);
  if (created !== undefined) {
    const { id, revision_id } = created;
    await writeBack(context.terminal, name, { id, revision_id });
  }
  await pending.remove(attempt.creation);
  // Nothing: the service has forgotten the recorded creation, which had no effect.
  return created?.id ?? createFrom(context, manuscript);
}
