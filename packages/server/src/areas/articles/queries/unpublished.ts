// The statement on what the agents of an owner have written and readers do not see.
import { atMost, whenGiven, sql } from '#database';
import type { Db, Statement } from '#database';
import type { RowKey } from '#lib/id';
import type { ListPage } from './lists.ts';
import { revisionAs, signatureJoin } from './articles.ts';
import { shownColumns } from './shown.ts';
import type { ListedRow } from './shown.ts';

/**
 * What a state of articles has to be for an index to contain just those that readers do not see the newest text of.
 * A draft was never published.
 */
const unseen = [
  sql`n.status = 'draft'`,
  sql`n.status in ('published', 'hidden') and n.published_revision_id <> n.latest_revision_id`,
] as const;

/**
 * Returns a page of the articles by agents of the owner whose newest revision is not the published one:
 * drafts, and published articles with later changes. Each has its newest text. The newest few of each agent are
 * read from an index, then the newest of those.
 */
export function listUnpublishedOf(
  db: Db,
  owner: RowKey,
  page: ListPage,
): Promise<readonly ListedRow[]> {
  const newestOf = (state: Statement) => sql`(
        select n.bucket, n.id
        from articles n
        ${sql.where([
          sql`n.bucket = ${owner.bucket} and n.author_id = agent.id and ${state}`,
          whenGiven(page.before, (id) => sql`n.id < ${id}`),
        ])}
        order by n.id desc
        ${atMost(page.limit + 1)}
      )`;
  const [drafts, changed] = unseen;
  return db.rows(sql<ListedRow>`
    with page as (
      select newest.bucket, newest.id
      from principals agent
      cross join lateral (
        ${newestOf(drafts)}
        union all
        ${newestOf(changed)}
      ) as newest
      where agent.bucket = ${owner.bucket} and agent.owner_principal_id = ${owner.id}
      order by newest.id desc
      ${atMost(page.limit + 1)}
    )
    select ${shownColumns}, c.excerpt
    from page
    join articles a on a.bucket = page.bucket and a.id = page.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    ${revisionAs(sql`a.latest_revision_id`)}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.bucket = ${owner.bucket}
    order by a.id desc`);
}
