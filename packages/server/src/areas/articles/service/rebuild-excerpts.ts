// Rebuilds the excerpts of articles after an upgrade that makes them in another way.
import { excerpts } from './excerpts.ts';
import type { Rebuilding } from '#reindex';

export const rebuildingExcerpts: Rebuilding = {
  name: 'excerpts',
  version: 1,
  count: excerpts.count,
  next: excerpts.next,
  // An excerpt goes with its text.
  stale: async () => [],
  rebuild: (id, { db }) => excerpts.rebuild(id, db),
};
