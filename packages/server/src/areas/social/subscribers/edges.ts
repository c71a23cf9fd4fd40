// The subscribers of edges: they set the visibility of edges and notify the authors of citing articles.
import type { EventPayloads } from '@colophon/contract';
import { isKnown, isPublic } from '#articles';
import type { Database } from '#database';
import { keyOf } from '#lib/id';
import { appendEvent } from '#event-log';
import type {
  ArticleChanged,
  ArticleErased,
  CitationChanged,
  Subscriber,
  SubscriberServices,
} from '#outbox';
import { updateEdgeTarget } from '../outbox/edges.ts';
import {
  deleteIncomingNote,
  deleteNote,
  findEnd,
  findFirstRemoval,
  lockEnds,
  insertCitationNotifications,
  listCiters,
  listCiting,
  listNoted,
  listOthersThan,
  listWithEdges,
  lockEdge,
  setShown,
} from '../queries/index.ts';
import type { CiterRow, EdgeRow, EndRow } from '../queries/index.ts';
import { asSource, isTakenAway, targetOf, targetOfArticle } from '../rules/edges.ts';

type Services = Pick<SubscriberServices, 'db' | 'now'>;

type Listed = Pick<EdgeRow, 'id' | 'dst_article_id'>;

const edgesAtOnce = 100;
/** Recipients per transaction: it locks the event counter of each. */
const recipientsAtOnce = 20;

/**
 * Sets one edge in one transaction, by the state of its source then. The source cannot change before the
 * commit, and a later change appends its own message. So after concurrent runs in any order the last one
 * leaves the correct state.
 */
function showOne(db: Database, edge: Listed, sourceId: string, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const { id, dst_article_id: destinationId } = edge;
    const [[source, destination], locked] = await Promise.all([
      lockEnds(tx, sourceId, destinationId),
      lockEdge(tx, keyOf(id)),
    ]);
    if (source === undefined || locked === undefined) return;
    const { counted, announced, ...row } = locked;
    const shown = isPublic(asSource(source));
    void setShown(tx, keyOf(id), shown, now);
    updateEdgeTarget(tx, row, { source, destination }, { shown, counted, announced, now });
  });
}

/** Sets the edges of an article so that targets show and count them while everyone can find it. */
async function showAll(source: EndRow, { db, now }: Services): Promise<void> {
  const shown = isPublic(asSource(source));
  let after = '';
  for (;;) {
    const page = { after, limit: edgesAtOnce };
    const edges = await listOthersThan(db, keyOf(source.id), shown, page);
    for (const edge of edges) await showOne(db, edge, source.id, now());
    const last = edges.at(-1);
    if (last === undefined || edges.length < edgesAtOnce) return;
    after = last.id;
  }
}

/**
 * Deletes the notes of an erased article's edges; the edges stay. One edge per transaction, to lock few
 * buckets.
 */
async function forgetNotes(source: EndRow, { db }: Services): Promise<void> {
  const key = keyOf(source.id);
  for (;;) {
    const edges = await listNoted(db, key, edgesAtOnce);
    for (const edge of edges) {
      await db.transaction(async (tx) => {
        void deleteNote(tx, { bucket: key.bucket, id: edge.id });
        void deleteIncomingNote(tx, targetOf(edge).bucket, edge);
      });
    }
    if (edges.length < edgesAtOnce) return;
  }
}

/** A change of an article, for the authors who cite it. `id` is the same for each delivery of one change. */
export interface CitationChange {
  readonly id: string;
  readonly articleId: string;
  readonly actorId: string | null;
  /** Principals who know of the change already. */
  readonly except: readonly (string | null)[];
  readonly payload: Omit<EventPayloads['citation.changed'], 'citing_article_id'>;
}

/** Notifies in small transactions, each recipient once: notifications already committed survive a crash. */
async function notify(
  citers: readonly CiterRow[],
  change: CitationChange,
  { db, now }: Services,
): Promise<void> {
  const byAuthor = new Map(citers.map((citer) => [citer.author_id, citer.article_id]));
  const ids = [...byAuthor.keys()].filter((id) => !change.except.includes(id)).toSorted();
  for (let at = 0; at < ids.length; at += recipientsAtOnce) {
    const some = ids.slice(at, at + recipientsAtOnce);
    await db.transaction(async (tx) => {
      const fresh = await insertCitationNotifications(tx, change.id, some, now());
      const events = fresh.map((recipientId) => ({
        type: 'citation.changed' as const,
        recipientId,
        actorId: change.actorId,
        subjectType: 'article' as const,
        subjectId: change.articleId,
        payload: { ...change.payload, citing_article_id: byAuthor.get(recipientId) as string },
      }));
      appendEvent(tx, events, now());
    });
  }
}

/** Notifies every author whose article links to the changed one; a second run notifies no one. */
export async function notifyCiters(change: CitationChange, services: Services): Promise<void> {
  const target = targetOfArticle(change.articleId);
  let after = '';
  for (;;) {
    const edges = await listCiting(services.db, target, { after, limit: edgesAtOnce });
    const sources = new Set(edges.map((edge) => edge.src_article_id));
    await notify(await listCiters(services.db, [...sources]), change, services);
    const last = edges.at(-1);
    if (last === undefined || edges.length < edgesAtOnce) return;
    after = last.id;
  }
}

/**
 * A removal, further removals and an erasure after it and their redelivery are one change; a removal after a
 * restoration is another.
 */
function removalOf(article: EndRow, firstRemovedAt: string | null): CitationChange {
  return {
    id: `${article.id}/${firstRemovedAt ?? article.status}`,
    articleId: article.id,
    actorId: null,
    except: [article.author_id, article.owner_principal_id],
    payload: { change: 'removed' },
  };
}

/**
 * Notifies the citing authors of a removal that everyone can see. Of a private article they must not learn
 * whether it still exists.
 */
async function notifyOfRemoval(article: EndRow, services: Services): Promise<void> {
  if (!isTakenAway(article) || !isKnown(article, null)) return;
  const firstRemovedAt = await findFirstRemoval(services.db, keyOf(article.id));
  await notifyCiters(removalOf(article, firstRemovedAt), services);
}

/** Updates the edges of an article by its current state. */
async function follow(key: { bucket: number; id: string }, services: Services): Promise<void> {
  const article = await findEnd(services.db, key);
  if (article === undefined) return;
  if (article.status === 'erased') await forgetNotes(article, services);
  await notifyOfRemoval(article, services);
  await showAll(article, services);
}

export const followArticle: Subscriber<ArticleChanged> = {
  type: 'article.changed',
  name: 'followArticle',
  run: ({ bucket, payload }, services) => follow({ bucket, id: payload.article_id }, services),
  many: {
    atOnce: 100,
    run: async (messages, services) => {
      const places = new Map(
        messages.map(({ bucket, payload: { article_id: id } }) => [id, { bucket, id }]),
      );
      for (const key of await listWithEdges(services.db, [...places.values()]))
        await follow(key, services);
    },
  },
};

export const followErasure: Subscriber<ArticleErased> = {
  type: 'article.erased',
  name: 'followArticle',
  run: ({ bucket, payload }, services) => follow({ bucket, id: payload.article_id }, services),
};

export const notifyOfCitation: Subscriber<CitationChanged> = {
  type: 'citation.changed',
  // Stored in queued jobs, so it does not follow the name of the constant.
  name: 'tellOfCitation',
  run: ({ payload }, services) => {
    const { article_id, actor_id, ...rest } = payload;
    const change = { articleId: article_id, actorId: actor_id, except: [] };
    return notifyCiters({ ...change, id: payload.edge_id, payload: rest }, services);
  },
};
