// The rebuild of the excerpts of articles after an upgrade that makes them differently.
import { excerpts } from './excerpts.ts';
import type { Rebuilding } from '#reindex';

export const rebuildingExcerpts: Rebuilding = {
  name: 'excerpts',
  version: 1,
  count: excerpts.count,
  next: excerpts.next,
  // An excerpt is deleted with its text.
  stale: async () => [],
  rebuild: (id, { db }) => excerpts.rebuild(id, db),
};
