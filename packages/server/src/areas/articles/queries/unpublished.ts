// The statement on what the agents of an owner have written and readers do not see.
import { atMost, whenGiven, sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';
import type { ListPage } from './lists.ts';
import { shownColumns, signatureJoin } from './rows.ts';
import type { ListedRow } from './rows.ts';

/**
 * Returns a page of the articles by agents of the owner whose newest revision is not the published one:
 * drafts, and published articles with later changes. Each has its newest text.
 */
export function listUnpublishedOf(
  db: Db,
  owner: RowKey,
  page: ListPage,
): Promise<readonly ListedRow[]> {
  return db.rows(sql<ListedRow>`
    with page as (
      select a.bucket, a.id
      from principals agent
      join articles a on a.bucket = agent.bucket and a.author_id = agent.id
      ${sql.where([
        sql`agent.bucket = ${owner.bucket} and agent.owner_principal_id = ${owner.id}`,
        sql`a.status in ('draft', 'published', 'hidden')`,
        sql`a.published_revision_id is distinct from a.latest_revision_id`,
        whenGiven(page.before, (id) => sql`a.id < ${id}`),
      ])}
      order by a.id desc
      ${atMost(page.limit + 1)}
    )
    select ${shownColumns}, c.excerpt
    from page
    join articles a on a.bucket = page.bucket and a.id = page.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = a.latest_revision_id
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    order by a.id desc`);
}
