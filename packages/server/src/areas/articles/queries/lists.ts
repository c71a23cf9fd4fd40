// Lists of articles: the public list, and an author's own.
import { atMost, whenGiven, nothing, sql } from '#database';
import type { Condition, Db, Statement } from '#database';
import { bucketOf } from '#lib/id';
import type { DatePosition } from '#lib/list-cursor';
import { shownRevision, signatureJoin } from './articles.ts';
import { shownColumns } from './shown.ts';
import type { ListedRow } from './shown.ts';

/** The filters of a list of articles. */
export interface ArticleFilters {
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
  readonly beforeDate: DatePosition | undefined;
}

/**
 * Returns whether the list is ordered by date. In another order, a page between dates would read all newer
 * rows.
 */
export function isDated({ since, until }: Pick<ArticleFilters, 'since' | 'until'>): boolean {
  return since !== undefined || until !== undefined;
}

/**
 * Returns the conditions on an article. `date` is the column that `since` and `until` limit. The author's
 * bucket is first, where an author is given.
 */
export function articleConditions(filters: ArticleFilters, date: Statement): readonly Condition[] {
  const { authorId, topic, language, disclosure, kind, signed, since, until } = filters;
  return [
    whenGiven(authorId, (id) => sql`a.bucket = ${bucketOf(id)} and a.author_id = ${id}`),
    whenGiven(language, (tag) => sql`a.language = ${tag}`),
    whenGiven(disclosure, (value) => sql`a.disclosure = ${value}`),
    whenGiven(kind, (value) => sql`a.author_kind = ${value}`),
    whenGiven(signed, (isSigned) => (isSigned ? sql`a.signed` : sql`not a.signed`)),
    whenGiven(since, (time) => sql`${date} >= ${time}`),
    whenGiven(until, (time) => sql`${date} < ${time}`),
    whenGiven(
      topic,
      (slug) => sql`exists (
        select 1 from article_topics at
        where at.bucket = a.bucket and at.article_id = a.id and at.topic = ${slug}
      )`,
    ),
  ];
}

/**
 * Returns the condition for rows after the cursor. It looks up no article: that would reveal whether a hidden
 * one exists.
 */
function after({ before, beforeDate }: ListedPage, order: Statement): Condition {
  if (beforeDate === undefined) return whenGiven(before, (id) => sql`${order} < ${id}`);
  return sql`(a.published_at, a.id) < (${beforeDate.published_at}, ${beforeDate.id})`;
}

/**
 * Returns a page of the public list. The text is joined after the page is cut, so that a page reads its own
 * rows and not those before it. A filter by topic uses the topic's index, which has the order of the page
 * too.
 */
export function listListed(
  db: Db,
  filters: ArticleFilters,
  page: ListedPage,
): Promise<readonly ListedRow[]> {
  const byDate = isDated(filters);
  const byTopic = byDate ? undefined : filters.topic;
  const source =
    byTopic === undefined
      ? sql`from articles a`
      : sql`from article_topics t
      join articles a on a.bucket = t.bucket and a.id = t.article_id`;
  const id = byTopic === undefined ? sql`a.id` : sql`t.article_id`;
  const others = byTopic === undefined ? filters : { ...filters, topic: undefined };
  return db.rows(sql<ListedRow>`
    -- every bucket: the public list is over all authors
    with page as (
      select a.bucket, a.id
      ${source}
      ${sql.where([
        sql`a.listed`,
        whenGiven(byTopic, (topic) => sql`t.topic = ${topic}`),
        after(page, id),
        ...articleConditions(others, sql`a.published_at`),
      ])}
      order by ${byDate ? sql`a.published_at desc, ` : nothing}${id} desc
      ${atMost(page.limit + 1)}
    )
    select ${shownColumns}, c.excerpt
    from page
    join articles a on a.bucket = page.bucket and a.id = page.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    ${shownRevision.published}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    order by ${byDate ? sql`a.published_at desc, ` : nothing}a.id desc`);
}

export interface OwnFilters extends ArticleFilters {
  readonly bucket: number;
  /** The caller: the author, or the owner of the agent that is the author. */
  readonly viewerId: string;
  readonly authorId: string;
  readonly status: string | undefined;
  readonly visibility: string | undefined;
}

/** Each status as text, so that the plan can use an index of the articles in it. */
const statuses: Readonly<Record<string, Condition>> = {
  draft: sql`a.status = 'draft'`,
  published: sql`a.status = 'published'`,
  hidden: sql`a.status = 'hidden'`,
};

/** Few articles are not public, and have an index of their own. */
function withVisibility(visibility: string): Statement {
  if (visibility === 'public') return sql`a.visibility = 'public'`;
  return sql`a.visibility <> 'public' and a.visibility = ${visibility}`;
}

/**
 * Returns a page of an author's own articles for the author or the agent's owner, with drafts, unlisted and
 * private ones. The texts are joined after the page is cut.
 */
export async function listOwn(
  db: Db,
  filters: OwnFilters,
  page: ListPage,
): Promise<readonly ListedRow[]> {
  const { bucket, authorId, viewerId, status, visibility } = filters;
  const ofStatus = status === undefined ? undefined : statuses[status];
  // What was removed is in no list. Reading all articles to find none of them takes long.
  if (status !== undefined && ofStatus === undefined) return [];
  return db.rows(sql<ListedRow>`
    with page as (
      select a.bucket, a.id
      from articles a
      ${sql.where([
        sql`a.bucket = ${bucket}`,
        sql`a.author_id = ${authorId}`,
        sql`a.status in ('draft', 'published', 'hidden')`,
        ofStatus,
        whenGiven(visibility, withVisibility),
        whenGiven(page.before, (id) => sql`a.id < ${id}`),
        ...articleConditions(filters, sql`coalesce(a.published_at, a.created_at)`),
      ])}
      order by a.id desc
      ${atMost(page.limit + 1)}
    )
    select ${shownColumns}, c.excerpt
    from page
    join articles a on a.bucket = page.bucket and a.id = page.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    ${shownRevision.orNewest}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.bucket = ${bucket} and ${viewerId} in (a.author_id, p.owner_principal_id)
    order by a.id desc`);
}
