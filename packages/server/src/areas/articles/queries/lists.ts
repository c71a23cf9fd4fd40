// Lists of articles: the public list, and an author's own.
import { atMost, nothing, sql } from '#database';
import type { Db, Statement } from '#database';
import { bucketOf } from '#lib/id';
import type { DatePlace } from '#lib/list-cursor';
import { shownColumns, signatureJoin } from './rows.ts';
import type { ListedRow } from './rows.ts';

export interface Filters {
  readonly authorId?: string | undefined;
  readonly topic?: string | undefined;
  readonly language?: string | undefined;
  readonly disclosure?: string | undefined;
  readonly kind?: string | undefined;
  readonly signed?: boolean | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface ListPage {
  readonly before: string | undefined;
  readonly limit: number;
}

export interface ListedPage extends ListPage {
  /** Replaces `before` in a list between dates. */
  readonly beforeDate: DatePlace | undefined;
}

/**
 * Returns whether the list is ordered by date. In another order, a page between dates would read all newer
 * rows.
 */
export function isDated({ since, until }: Pick<Filters, 'since' | 'until'>): boolean {
  return since !== undefined || until !== undefined;
}

function when(value: unknown, condition: () => Statement): Statement {
  return value === undefined ? nothing : condition();
}

/** Returns the conditions on an article. The author's bucket is first, where an author is given. */
function conditions(filters: Filters, date: Statement): Statement {
  const { authorId, topic, language, disclosure, kind, signed, since, until } = filters;
  return sql`${when(
    authorId,
    () => sql`
      and a.bucket = ${bucketOf(authorId ?? '')} and a.author_id = ${authorId}`,
  )}${when(
    language,
    () => sql`
      and a.language = ${language}`,
  )}${when(
    disclosure,
    () => sql`
      and a.disclosure = ${disclosure}`,
  )}${when(
    kind,
    () => sql`
      and a.author_kind = ${kind}`,
  )}${when(signed, () =>
    signed
      ? sql`
      and a.signed`
      : sql`
      and not a.signed`,
  )}${when(
    since,
    () => sql`
      and ${date} >= ${since}`,
  )}${when(
    until,
    () => sql`
      and ${date} < ${until}`,
  )}${when(
    topic,
    () => sql`
      and exists (
        select from article_topics t
        where t.bucket = a.bucket and t.article_id = a.id and t.topic = ${topic}
      )`,
  )}`;
}

/**
 * Returns the condition for rows after the cursor. It looks up no article: that would reveal whether a hidden
 * one exists.
 */
function after({ before, beforeDate }: ListedPage, order: Statement): Statement {
  if (beforeDate !== undefined) {
    return sql`
      and (a.published_at, a.id) < (${beforeDate.published_at}, ${beforeDate.id})`;
  }
  if (before === undefined) return nothing;
  return sql`
      and ${order} < ${before}`;
}

/**
 * Returns a page of the public list. The text is joined after the page is cut, so that a page reads its own
 * rows and not those before it. A filter by topic uses the topic's index, which has the order of the page
 * too.
 */
export function listListed(
  db: Db,
  filters: Filters,
  page: ListedPage,
): Promise<readonly ListedRow[]> {
  const byDate = isDated(filters);
  const byTopic = filters.topic !== undefined && !byDate;
  const { topic, ...others } = filters;
  const source = byTopic
    ? sql`from article_topics t
      join articles a on a.bucket = t.bucket and a.id = t.article_id`
    : sql`from articles a`;
  const id = byTopic ? sql`t.article_id` : sql`a.id`;
  return db.rows(sql<ListedRow>`
    -- every bucket: the public list is over all authors
    with page as (
      select a.bucket, a.id
      ${source}
      where a.listed${when(
        byTopic ? topic : undefined,
        () => sql`
      and t.topic = ${topic}`,
      )}${after(page, id)}${conditions(byTopic ? others : filters, sql`a.published_at`)}
      order by ${byDate ? sql`a.published_at desc, ` : nothing}${id} desc
      ${atMost(page.limit + 1)}
    )
    select ${shownColumns}, c.excerpt
    from page
    join articles a on a.bucket = page.bucket and a.id = page.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    order by ${byDate ? sql`a.published_at desc, ` : nothing}a.id desc`);
}

export interface OwnFilters extends Filters {
  readonly bucket: number;
  /** The caller: the author, or the owner of the agent that is the author. */
  readonly viewerId: string;
  readonly authorId: string;
  readonly status: string | undefined;
  readonly visibility: string | undefined;
}

/**
 * Returns a page of an author's own articles for the author or the agent's owner, with drafts, unlisted and
 * private ones.
 */
export function listOwn(
  db: Db,
  filters: OwnFilters,
  page: ListPage,
): Promise<readonly ListedRow[]> {
  return db.rows(sql<ListedRow>`
    select ${shownColumns}, c.excerpt
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    join revisions r
      on r.bucket = a.bucket
      and r.article_id = a.id
      and r.id = coalesce(a.published_revision_id, a.latest_revision_id)
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.bucket = ${filters.bucket}
      and a.author_id = ${filters.authorId}
      and ${filters.viewerId} in (a.author_id, p.owner_principal_id)
      and a.status in ('draft', 'published', 'hidden')${when(
        filters.status,
        () => sql`
      and a.status = ${filters.status}`,
      )}${when(
        filters.visibility,
        () => sql`
      and a.visibility = ${filters.visibility}`,
      )}${when(
        page.before,
        () => sql`
      and a.id < ${page.before}`,
      )}${conditions(filters, sql`coalesce(a.published_at, a.created_at)`)}
    order by a.id desc
    ${atMost(page.limit + 1)}`);
}
