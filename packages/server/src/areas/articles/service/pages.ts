// For pages of articles: their listing state, the signatures of revisions, and quotations that have changed.
import type { Db } from '#database';
import { keyOf } from '#lib/id';
import type { ChangedQuotes, Requester, TextWork } from '@colophon/text';
import { findShownState, listEarlierTexts, listShownThen, listSignings } from '../queries/index.ts';
import type { SigningColumns } from '../queries/index.ts';

/** When a revision was signed, and the history of the key that signed it. */
function signingView(row: SigningColumns) {
  const { signed_at, key_created_at, key_revoked_at, key_compromised_at } = row;
  if (signed_at === null || key_created_at === null) return null;
  return { signed_at, key_created_at, key_revoked_at, key_compromised_at };
}

/** Returns the listing state of an article whose page is shown: search engines index only listed articles. */
export async function shownStateOf(db: Db, id: string) {
  const row = await findShownState(db, keyOf(id));
  if (row === undefined) return { listed: false, revised_at: null, excerpt: '', signing: null };
  const { listed, revised_at, excerpt } = row;
  return { listed, revised_at, excerpt, signing: signingView(row) };
}

/** Returns how published revisions of an article that everyone may read were signed, by revision. */
export async function signingsOf(db: Db, id: string, revisionIds: readonly string[]) {
  const rows = revisionIds.length === 0 ? [] : await listSignings(db, keyOf(id), revisionIds);
  return new Map(
    rows.flatMap((row) => {
      const signing = signingView(row);
      return signing === null ? [] : [[row.id, signing] as const];
    }),
  );
}

/** A comment with quotations. */
export interface Quoting {
  readonly id: string;
  readonly created_at: string;
  /** As rendered. */
  readonly html: string;
}

/** The text that is shown now. */
export interface ShownText {
  readonly id: string;
  readonly revision_id: string;
  readonly content: string;
}

export interface ChangedSince extends ChangedQuotes {
  /** The revision that was shown when the comment was written. */
  readonly revision_id: string;
}

/** Earlier texts that are compared, the newest ones: a text may be a million characters long. */
const textsMax = 3;

/**
 * Returns the comments with quotations of the article that have changed since. `undefined`: the thread is busy, and
 * a later request may find some.
 */
export async function changedQuotes(
  { db, text }: { readonly db: Db; readonly text: Pick<TextWork, 'findChangedQuotes'> },
  article: ShownText,
  { comments, requester }: { readonly comments: readonly Quoting[]; readonly requester: Requester },
): Promise<readonly ChangedSince[] | undefined> {
  const place = keyOf(article.id);
  const times = comments.map(({ created_at }) => created_at);
  const shown = await listShownThen(db, place, times);
  const changed = shown.filter(({ revision_id: id }) => id !== article.revision_id);
  const ids = [...new Set(changed.map(({ revision_id }) => revision_id))]
    .toSorted()
    .slice(-textsMax);
  if (ids.length === 0) return [];
  const texts = await listEarlierTexts(db, place, ids);
  const known = new Map(texts.map(({ revision_id }, at) => [revision_id, at]));
  const shownAt = new Map<string, string>();
  const asked = changed.flatMap(({ at, revision_id }) => {
    const [comment, text] = [comments[at], known.get(revision_id)];
    if (comment === undefined || text === undefined) return [];
    shownAt.set(comment.id, revision_id);
    return [{ id: comment.id, html: comment.html, shownText: text }];
  });
  const task = {
    now: article.content,
    earlier: texts.map(({ content }) => content),
    comments: asked,
  };
  const found = await text.findChangedQuotes(task, requester);
  return found?.map((one) => ({ ...one, revision_id: shownAt.get(one.id) ?? '' }));
}
