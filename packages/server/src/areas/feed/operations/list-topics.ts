// GET /v1/topics: the topics of public articles, the most active or the largest first.
import { operations } from '@colophon/contract';
import { implement, limitOf } from '#http';
import { listActiveTopics, listLargeTopics } from '../queries/index.ts';
import type { TopicRow } from '../queries/index.ts';
import { activeCursor, readActiveCursor, readSizeCursor, sizeCursor } from '../rules/feed.ts';
import { foreignCursor } from '../rules/foreign-cursor.ts';
import { topicView } from '../views.ts';

function placeOf<P>(
  cursor: string | undefined,
  read: (cursor: string) => P | undefined,
): P | undefined {
  if (cursor === undefined) return undefined;
  const place = read(cursor);
  if (place === undefined) throw foreignCursor('the topics in this order');
  return place;
}

/** Omits a topic whose articles were all removed a moment ago; the cursor continues after it. */
function pageOfTopics(rows: readonly TopicRow[], limit: number, cursor: (row: TopicRow) => string) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.flatMap((row) => topicView(row) ?? []),
    next_cursor: rows.length > limit && last !== undefined ? cursor(last) : null,
  };
}

export const listTopics = implement(operations.listTopics)(async ({ db }, { query }) => {
  const { order = 'active', cursor } = query;
  const limit = limitOf(query);
  if (order === 'size') {
    const after = placeOf(cursor, readSizeCursor);
    const rows = await listLargeTopics(db, after, limit);
    return { status: 200, body: pageOfTopics(rows, limit, sizeCursor), shared: true };
  }
  const after = placeOf(cursor, readActiveCursor);
  const rows = await listActiveTopics(db, after, limit);
  return { status: 200, body: pageOfTopics(rows, limit, activeCursor), shared: true };
});
