// What the log has to say about an article, from what it said before and what readers get now. Pure.
import type { ArticleCause, LoggedArticle } from '../queries/index.ts';
import type { ShownState } from './leaves.ts';

/** What readers get now. Only public articles are shown: an unlisted one is found by its id alone. */
function shownState({ status, visibility }: ArticleCause): ShownState {
  if (status === 'erased' || status === 'removed') return status;
  return status === 'published' && visibility === 'public' ? 'public' : 'withdrawn';
}

export interface Due {
  /** Whether the publications that are not in the log belong there. */
  readonly publications: boolean;
  /** The state to log after them; undefined: it has not changed. */
  readonly state: ShownState | undefined;
  /** What the log says afterwards. */
  readonly after: LoggedArticle['state'];
}

const nothing = { publications: false, state: undefined } as const;

/**
 * Returns what is due for an article. One that was never public is not mentioned at all; nor is anything that
 * happens after its erasure.
 */
export function dueOf(before: LoggedArticle['state'], article: ArticleCause): Due {
  const isNew = before === 'new';
  const wasNeverPublic = article.visibility !== 'public' || article.published_revision_id === null;
  if (before === 'erased' || (isNew && wasNeverPublic)) return { ...nothing, after: before };
  const now = shownState(article);
  return {
    // While an article is withdrawn, its new revisions are not public.
    publications: now === 'public' || isNew || before === 'public',
    state: now === (isNew ? 'public' : before) ? undefined : now,
    after: now,
  };
}
