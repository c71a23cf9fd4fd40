// Lists of edges: by source, by target, and of all; with the articles at their ends.
import { atMost, whenGiven, justFirst, namedIds, orOverServers, sql } from '#database';
import type { Condition, Db, Statement } from '#database';
import type { RowKey } from '#lib/id';
import { edgeColumns, endColumns } from './edges.ts';
import type { EdgeRow, ShownEndRow } from './edges.ts';

export interface EdgePage {
  readonly kind?: string | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

/** The viewer of edges to a target: 'everybody', a principal, or a moderator ('all'). */
export type Viewer = 'everybody' | 'all' | { readonly id: string };

const ofPage = ({ kind, before }: EdgePage): readonly Condition[] => [
  whenGiven(kind, (name) => sql`e.kind = ${name}`),
  whenGiven(before, (id) => sql`e.id < ${id}`),
];

/**
 * Returns the condition on `incoming_edges e`. Edges that are not shown count in no page of other viewers: a
 * short page or a cursor would reveal them.
 */
function shownTo(viewer: Viewer): Condition {
  if (viewer === 'all') return undefined;
  if (viewer === 'everybody') return sql`e.shown`;
  return sql`(e.shown or e.created_by_principal_id = ${viewer.id} or e.owner_principal_id = ${viewer.id})`;
}

export function listOutgoing(db: Db, source: RowKey, page: EdgePage): Promise<readonly EdgeRow[]> {
  return db.rows(sql<EdgeRow>`
    select ${edgeColumns}
    from edges e
    ${sql.where([
      sql`e.bucket = ${source.bucket} and e.src_article_id = ${source.id}`,
      ...ofPage(page),
    ])}
    order by e.id desc
    ${atMost(page.limit + 1)}`);
}

/** The row key under which edges to one target are stored. */
export interface EdgeTarget {
  readonly bucket: number;
  /** Id of the article, or SHA-256 of the address. */
  readonly key: string;
}

export function listIncoming(
  db: Db,
  target: EdgeTarget,
  page: EdgePage & { readonly viewer: Viewer },
): Promise<readonly EdgeRow[]> {
  return db.rows(sql<EdgeRow>`
    select ${edgeColumns}
    from incoming_edges e
    ${sql.where([
      sql`e.bucket = ${target.bucket} and e.dst_key = ${target.key}`,
      shownTo(page.viewer),
      ...ofPage(page),
    ])}
    order by e.id desc
    ${atMost(page.limit + 1)}`);
}

/** Where a page of the edges of an author ends. */
export interface EdgePosition {
  readonly article: string;
  readonly edge: string;
}

const behindAllIds = '~';

/**
 * Lists the edges from the articles of an author: the newest article first, and the newest edge of each. Each article
 * is looked up on its own: a planner that expects few edges of an author reads those of everybody. The bound of the
 * edges of an article is one expression, so that a page does not read the edges before it again.
 */
export function listEdgesBy(
  db: Db,
  author: RowKey,
  before: EdgePosition | undefined,
  limit: number,
): Promise<readonly EdgeRow[]> {
  return db.rows(sql<EdgeRow>`
    select ${edgeColumns}
    from articles a
    cross join lateral (
      select ${edgeColumns}
      from edges e
      ${sql.where([
        sql`e.bucket = ${author.bucket} and e.src_article_id = a.id`,
        whenGiven(
          before,
          ({ article, edge }) =>
            sql`e.id < case when a.id = ${article} then ${edge} else ${behindAllIds} end`,
        ),
      ])}
      order by e.id desc
      ${justFirst(limit)}
    ) as e
    ${sql.where([
      sql`a.bucket = ${author.bucket} and a.author_id = ${author.id}`,
      whenGiven(before, ({ article }) => sql`a.id <= ${article}`),
    ])}
    order by a.id desc, e.id desc
    ${justFirst(limit)}`);
}

/** Lists the edges from listed articles. */
export function listListedEdges(db: Db, page: EdgePage): Promise<readonly EdgeRow[]> {
  return db.rows(sql<EdgeRow>`
    -- every bucket: the public list is over all articles
    select ${edgeColumns}
    from edges e
    join articles a on a.bucket = e.bucket and a.id = e.src_article_id
    ${sql.where([sql`e.announced_at is not null and a.listed`, ...ofPage(page)])}
    order by e.id desc
    ${atMost(page.limit + 1)}`);
}

/**
 * Returns articles by their ids, from any bucket, with the title of the published revision, or of a draft's
 * newest.
 */
export async function findShownEnds(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownEndRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows(sql<ShownEndRow>`
    select a.id, ${endColumns}, c.title, a.author_kind, p.username, p.display_name, p.model, p.provider
    from ${namedIds(ids)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    cross join lateral (
      select bucket, held_hash
      from revisions
      where bucket = a.bucket and article_id = a.id and id = coalesce(a.published_revision_id, a.latest_revision_id)
      limit 1
    ) as r
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    order by a.id`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** An edge from or to one of the targets of a step. */
export interface AroundRow extends EdgeRow {
  readonly direction: 'out' | 'in';
  /** Position of the target in the list of the step, from 1. */
  readonly place: number;
}

export interface Step {
  readonly kinds: readonly string[];
  readonly perTarget: number;
  readonly viewer: Viewer;
}

/**
 * Returns one step through the graph: the newest edges from and to each target, at most `perTarget` for each
 * direction, in the order of the targets.
 */
export function listAround(
  db: Db,
  targets: readonly EdgeTarget[],
  step: Step,
): Promise<readonly AroundRow[]> {
  const { kinds, perTarget, viewer } = step;
  const wanted = sql`
    unnest(${targets.map(({ bucket }) => bucket)}::smallint[], ${targets.map(({ key }) => key)}::text[])
      with ordinality as wanted (bucket, key, place)`;
  const one = sql<AroundRow>`
    -- on one server: a few rows of each target
    select 'out' as direction, wanted.place, ${edgeColumns}
    from ${wanted}
    cross join lateral (
      select ${edgeColumns}
      from edges e
      where e.bucket = wanted.bucket and e.src_article_id = wanted.key and e.kind = any (${kinds})
      order by e.id desc
      limit ${perTarget}
    ) as e
    union all
    select 'in' as direction, wanted.place, ${edgeColumns}
    from ${wanted}
    cross join lateral (
      select ${edgeColumns}
      from incoming_edges e
      ${sql.where([
        sql`e.bucket = wanted.bucket`,
        sql`e.dst_key = wanted.key`,
        sql`e.kind = any (${kinds})`,
        shownTo(viewer),
      ])}
      order by e.id desc
      limit ${perTarget}
    ) as e
    order by place, direction desc, id desc`;
  return db.rows(orOverServers(one, () => aroundOverServers(targets, step)));
}

/** Each shard numbers the edges of its targets, and drops those that are too many. */
function aroundOverServers(
  targets: readonly EdgeTarget[],
  { kinds, perTarget, viewer }: Step,
): Statement<AroundRow> {
  const buckets = sql`any(${targets.map(({ bucket }) => bucket)}::smallint[])`;
  const keys = targets.map(({ key }) => key);
  const columns = sql`id, src_article_id, kind, dst_key, dst_article_id, dst_uri, via_comment_id, note,
      created_by_principal_id, created_at`;
  return sql`
    -- every bucket: the targets live anywhere
    with leaving as materialized (
      select 'out' as direction, r.src_article_id as key, ${columns}
      from (
        select e.bucket, ${edgeColumns},
          row_number() over (partition by e.bucket, e.src_article_id order by e.id desc) as rank
        from edges e
        where e.bucket = ${buckets} and e.src_article_id = any(${keys}) and e.kind = any(${kinds})
      ) as r
      where r.rank <= ${perTarget}
    ), arriving as materialized (
      select 'in' as direction, r.dst_key as key, ${columns}
      from (
        select e.bucket, ${edgeColumns},
          row_number() over (partition by e.bucket, e.dst_key order by e.id desc) as rank
        from incoming_edges e
        ${sql.where([
          sql`e.bucket = ${buckets}`,
          sql`e.dst_key = any(${keys})`,
          sql`e.kind = any(${kinds})`,
          shownTo(viewer),
        ])}
      ) as r
      where r.rank <= ${perTarget}
    )
    select e.direction, wanted.place, ${edgeColumns}
    from (
      select direction, key, ${columns} from leaving
      union all
      select direction, key, ${columns} from arriving
    ) as e
    join unnest(${keys}::text[]) with ordinality as wanted (key, place) on wanted.key = e.key
    order by wanted.place, e.direction desc, e.id desc`;
}
