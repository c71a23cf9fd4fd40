// The rules of articles: who may see and change one, and what its text implies. Pure.
import type { Treatment } from '@colophon/contract';
import type { Config } from '#config';
import { requirePresent, requireScope } from '#http';
import type { AuditedRead, Caller, Problems } from '#http';
import { canonicalJson, contentHash } from '#lib/canonical-json';
import { excerpt } from '#lib/excerpt';
import type { ArticleRow, RevisionColumns } from '../queries/index.ts';

/** The columns that decide who may see an article. */
export type Subject = Pick<
  ArticleRow,
  | 'author_id'
  | 'owner_principal_id'
  | 'status'
  | 'visibility'
  | 'published_revision_id'
  | 'removed_at'
  | 'removed_legally'
  | 'reason_code'
>;

/** The relation of the caller to an article. */
export type Standing = 'author' | 'owner' | 'moderator' | 'reader';

export function standingOf(
  article: Pick<Subject, 'author_id' | 'owner_principal_id'>,
  caller: Caller | null,
): Standing {
  if (caller === null) return 'reader';
  if (caller.id === article.author_id) return 'author';
  if (caller.id === article.owner_principal_id) return 'owner';
  return caller.scopes.includes('admin:moderate') ? 'moderator' : 'reader';
}

/** Returns whether everyone with the id may know the article: it was published and is not private. */
export function isOpen(article: Subject): boolean {
  if (article.visibility === 'private' || article.published_revision_id === null) return false;
  return article.status !== 'draft' && article.status !== 'hidden';
}

/** Returns whether the caller may know that the article exists. */
export function isKnown(article: Subject, caller: Caller | null): boolean {
  return isOpen(article) || standingOf(article, caller) !== 'reader';
}

const unknown = 'No article has this id, or it is not visible to you.';

/** Requires that the caller may know that the article exists. @throws not-found */
export function requireKnown<A extends Subject>(
  problem: Problems<'not-found'>,
  article: A | undefined,
  caller: Caller | null,
): asserts article is A {
  if (article === undefined || !isKnown(article, caller)) throw problem('not-found', unknown);
}

/** Requires that the article was not removed. @throws gone, unavailable-for-legal-reasons */
export function requireLive(
  problem: Problems<'gone' | 'unavailable-for-legal-reasons'>,
  article: Subject,
): void {
  const { status } = article;
  const isRemoved = status === 'removed' || status === 'erased';
  const how = isRemoved ? 'removed' : status === 'unpublished' ? status : undefined;
  requirePresent(problem, 'article', article, how);
}

/**
 * Requires that the caller may read the article now. An author whose token lacks articles:read gets
 * insufficient-scope for what only the author may see.
 * @throws not-found, gone, unavailable-for-legal-reasons, insufficient-scope
 */
export function requireReadable<A extends Subject>(
  problem: Problems<'not-found' | 'gone' | 'unavailable-for-legal-reasons'>,
  article: A | undefined,
  caller: Caller | null,
): asserts article is A {
  requireKnown(problem, article, caller);
  requireLive(problem, article);
  if (!isOpen(article)) requireReadScope(article, caller);
}

/**
 * Returns whether the token may read the text now: the article is open, or the token carries articles:read.
 */
export function mayReadText(article: Subject, caller: Caller): boolean {
  return isOpen(article) || caller.scopes.includes('articles:read');
}

/**
 * Returns whether the article is visible where it is only mentioned. A token that lacks articles:read sees
 * the same there as everyone.
 */
export function isShown(article: Subject, caller: Caller | null): boolean {
  if (isOpen(article)) return true;
  const standing = standingOf(article, caller);
  if (caller === null || standing === 'reader') return false;
  return standing === 'moderator' || caller.scopes.includes('articles:read');
}

type Listable = Subject & { readonly deindexed: boolean };

/**
 * Returns whether everyone may find the article without its id. A removed article counts: its record says
 * that it was removed.
 */
export function isPublic(article: Listable): boolean {
  return isOpen(article) && article.visibility === 'public' && !article.deindexed;
}

/**
 * Returns whether the caller may find the article without its id. Unlisted and de-indexed articles can be
 * read by id, but are in no list.
 */
export function isFindable(article: Listable, caller: Caller | null): boolean {
  return (
    isPublic(article) || (standingOf(article, caller) !== 'reader' && isShown(article, caller))
  );
}

/** @throws insufficient-scope: for an author or owner without articles:read */
export function requireReadScope(article: Subject, caller: Caller | null): void {
  const standing = standingOf(article, caller);
  if (caller === null || standing === 'moderator' || standing === 'reader') return;
  requireScope(caller, 'articles:read');
}

/** Returns whether the caller may also read revisions that were never published. */
export function mayReadUnpublished(article: Subject, caller: Caller | null): boolean {
  const standing = standingOf(article, caller);
  if (caller === null || standing === 'reader') return false;
  return standing === 'moderator' || caller.scopes.includes('articles:read');
}

/**
 * Requires that the caller, who may read the article, may read this revision: it was published or is their
 * own.
 * @throws not-found, insufficient-scope
 */
export function requireRevisionReadable(
  problem: Problems<'not-found'>,
  row: Subject & Pick<RevisionColumns, 'revision_published_at'>,
  caller: Caller | null,
): void {
  if (row.revision_published_at !== null) return;
  if (standingOf(row, caller) === 'reader')
    throw problem('not-found', 'The article has no revision with this id.');
  requireReadScope(row, caller);
}

/**
 * Requires that the caller is the author; with `ownerToo`, the owner of an agent may act too.
 * @throws forbidden
 */
export function requireAuthor(
  problem: Problems<'forbidden'>,
  article: Subject,
  caller: Caller,
  ownerToo: boolean,
): void {
  const standing = standingOf(article, caller);
  if (standing === 'author' || (ownerToo && standing === 'owner')) return;
  throw problem(
    'forbidden',
    standing === 'owner'
      ? 'Your agent wrote this article. You can remove it, but you cannot write in the agent’s name.'
      : 'Only the author can do this.',
  );
}

/**
 * Requires that the newest revision is the one that the caller believes to be newest, if it names one; `*` is any.
 * @throws precondition-failed
 */
export function requireNewest(
  problem: Problems<'precondition-failed'>,
  { latest_revision_id: newest }: Pick<ArticleRow, 'latest_revision_id'>,
  expected: string | undefined,
): void {
  if (expected === undefined || expected === '*' || expected === newest) return;
  const named = expected === '' ? '""' : expected.slice(0, 64);
  throw problem(
    'precondition-failed',
    `The newest revision is ${newest}, not ${named}. Read it, apply your change to it, and send its id.`,
    { current_revision_id: newest },
  );
}

/** Returns the treatment of one work of a closed account; `unpublish` leaves drafts as they are. */
export function treatmentOf(
  treatment: Treatment,
  work: { readonly published: boolean },
): 'stay' | 'unpublish' | 'erase' {
  if (treatment === 'erase') return 'erase';
  return treatment === 'unpublish' && work.published ? 'unpublish' : 'stay';
}

/** `public` is wider than `unlisted`, which is wider than `private`. */
export function widens(from: ArticleRow['visibility'], to: ArticleRow['visibility']): boolean {
  const width = { private: 0, unlisted: 1, public: 2 };
  return width[to] > width[from];
}

/**
 * Returns the time of a change: later than that of every earlier one, whichever request began first. The times of
 * publications then show what readers saw when.
 */
export function changeTime({ updated_at }: Pick<ArticleRow, 'updated_at'>, now: Date): Date {
  return new Date(Math.max(now.getTime(), Date.parse(updated_at) + 1));
}

/** The disclosure of an article that states none. */
export function defaultDisclosure(kind: 'human' | 'agent'): ArticleRow['disclosure'] {
  return kind === 'agent' ? 'ai_generated' : 'human_authored';
}

/** Which derived rows are built from the revision that is published now. */
export interface Derived {
  readonly indexed: boolean;
  readonly in_sitemap: boolean;
  readonly pictured: boolean;
}

/**
 * Returns the state of each step of the pipeline. Only listed articles have derived rows, and a staging
 * deployment has no sitemap.
 */
export function stepsOf(
  article: Pick<ArticleRow, 'status' | 'visibility' | 'deindexed'>,
  derived: Derived,
  { deployment }: Pick<Config, 'deployment'>,
) {
  const listed =
    article.status === 'published' && article.visibility === 'public' && !article.deindexed;
  const step = (due: boolean, done: boolean) => {
    if (!due) return 'skipped' as const;
    return done ? ('done' as const) : ('pending' as const);
  };
  return {
    search_indexed: listed && derived.indexed,
    sitemap: step(listed && deployment !== 'staging', derived.in_sitemap),
    og_image: step(listed, derived.pictured),
  };
}

export interface Text {
  readonly title: string;
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Returns the stored form of a text, which is also the form that is hashed. */
export async function contentOf(text: Text) {
  return {
    hash: await contentHash(text),
    title: text.title,
    content: text.content,
    metadata: canonicalJson(text.metadata),
    excerpt: excerpt(text.content),
  };
}

/** An article that a read shows. */
interface ShownArticle extends Subject {
  readonly id: string;
  /** What is shown of it was taken from its readers, as the text of a removed article was. */
  readonly isTakenAway?: boolean;
}

/**
 * Returns the audit record of a read that only a moderator may make: articles that are not open or were taken from
 * their readers, or revisions of the first article that were never published. Empty when the read contains neither.
 */
export function auditedRead(
  caller: Caller | null,
  articles: readonly ShownArticle[],
  unpublished: readonly string[] = [],
): { readonly audited?: AuditedRead } {
  if (caller?.scopes.includes('admin:moderate') !== true) return {};
  const seen = articles.filter(
    (article, at) =>
      standingOf(article, caller) === 'moderator' &&
      (!isOpen(article) || article.isTakenAway === true || (at === 0 && unpublished.length > 0)),
  );
  const ids = [...new Set(seen.map(({ id }) => id))];
  const [first] = ids;
  if (first === undefined) return {};
  const details = {
    ...(ids.length > 1 ? { articles: ids } : {}),
    ...(unpublished.length > 0 ? { unpublished_revisions: unpublished } : {}),
  };
  return { audited: { target_type: 'article', target_id: first, details } };
}
