// Statements that keep the statistics with which searches are planned: shares of words, and horizons.
import { orOverServers, sql } from '#database';
import type { Statement, Tx } from '#database';
import { statisticsBucket } from './query-words.ts';

/** The minimum number of articles to store a word: a word of a single article must not remain here. */
const fewest = 100;
/** Into how many parts the times are divided where several servers know of them, as PostgreSQL's own are. */
const horizonsKept = 100;

const sharesOfOneServer = () => sql`
  insert into search_term_frequencies (bucket, place, word, share)
  select ${statisticsBucket}::smallint, s.attname, coalesce(known.word, ''), min(known.share)
  from pg_catalog.pg_stats s
  join pg_catalog.pg_class c on c.oid = 'public.article_search'::regclass
  cross join lateral unnest(
    s.most_common_elems::text::text[], s.most_common_elem_freqs
  ) as known (word, share)
  where s.schemaname = 'public'
    and s.tablename = 'article_search'
    and s.attname in ('document', 'title', 'marks')
    and known.word <> ''
  group by grouping sets ((s.attname, known.word), (s.attname))
  having known.word is null or min(known.share * c.reltuples) >= ${fewest}::float8
  on conflict on constraint search_term_frequencies_word_pkey
  do nothing`;

/**
 * What each shard knows: a row for each of its columns, with the number of its articles. The coordinator has no
 * statistics of a distributed table. `%s` becomes the name of the shard.
 */
function knownByShards(columns: Statement): Statement {
  return sql`
    select shard.shardid, s.place, s.rows, s.times, s.words, s.shares
    from run_command_on_shards('public.article_search', $command$
      select coalesce(json_agg(json_build_object(
        'place', s.attname, 'rows', greatest(c.reltuples, 0), 'times', s.histogram_bounds::text,
        'words', s.most_common_elems::text, 'shares', s.most_common_elem_freqs::text
      )), '[]')
      from pg_catalog.pg_stats s
      join pg_catalog.pg_class c on c.oid = '%s'::regclass and c.relname = s.tablename
      where s.schemaname = 'public' and s.attname in (${columns})
    $command$) as shard
    cross join lateral json_to_recordset(shard.result::json) as s (
      place text, rows float8, times text, words text, shares text
    )
    where shard.success`;
}

/**
 * A word that a shard does not know as a common one counts as absent there. '' has what a word may have that no shard
 * knows: the smallest share of each.
 */
const sharesOfShards = () => sql`
  with known as materialized (${knownByShards(sql`'document', 'title', 'marks'`)}
  ), shares as (
    select k.shardid, k.place, w.word, w.share, k.rows
    from known k
    cross join lateral unnest(k.words::text[], k.shares::float4[]) as w (word, share)
    where w.word <> ''
  ), whole as (
    select place, sum(rows) as articles
    from known
    group by place
  ), summed as (
    select place, word, sum(share * rows) as articles
    from shares
    group by place, word
    having sum(share * rows) >= ${fewest}::float8
    union all
    select place, '', sum(articles)
    from (
      select place, min(share * rows) as articles
      from shares
      group by place, shardid
    ) as smallest
    group by place
  )
  insert into search_term_frequencies (bucket, place, word, share)
  select ${statisticsBucket}::smallint, s.place, s.word, s.articles / greatest(1, w.articles)
  from summed s
  join whole w on w.place = s.place
  on conflict on constraint search_term_frequencies_word_pkey
  do nothing`;

/** Replaces the shares by PostgreSQL's present statistics; '' has the smallest known share. */
export async function setShares(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from search_term_frequencies
    where bucket = ${statisticsBucket}`);
  await tx.run(orOverServers(sharesOfOneServer(), sharesOfShards));
}

const horizonsOfOneServer = () => sql`
  insert into search_horizons (bucket, newer, at)
  select ${statisticsBucket}::smallint, round(c.reltuples * (bounds.count - bound.place) / greatest(1, bounds.count - 1)), bound.at
  from pg_catalog.pg_stats s
  join pg_catalog.pg_class c on c.oid = 'public.article_search'::regclass
  cross join lateral (select s.histogram_bounds::text::timestamptz[] as times) as known
  cross join lateral (select cardinality(known.times) as count) as bounds
  cross join lateral unnest(known.times) with ordinality as bound (at, place)
  where s.schemaname = 'public'
    and s.tablename = 'article_search'
    and s.attname = 'published_at'
  on conflict on constraint search_horizons_newer_pkey
  do nothing`;

/** Each bound stands for the articles of its shard between it and the next newer one, so they add up. */
const horizonsOfShards = () => sql`
  with known as materialized (${knownByShards(sql`'published_at'`)}
  ), bounds as (
    select bound.at,
      case when bound.place = cardinality(k.times::timestamptz[]) then 0
        else k.rows / (cardinality(k.times::timestamptz[]) - 1) end as articles
    from known k
    cross join lateral unnest(k.times::timestamptz[]) with ordinality as bound (at, place)
  ), placed as (
    select at, round(sum(articles) over (order by at desc)) as newer,
      row_number() over (order by at desc) as place, count(*) over () as count
    from bounds
  )
  insert into search_horizons (bucket, newer, at)
  select ${statisticsBucket}::smallint, newer, min(at)
  from placed
  where place = count or (place - 1) % greatest(1, count / ${horizonsKept}::integer) = 0
  group by newer
  on conflict on constraint search_horizons_newer_pkey
  do nothing`;

/** Replaces the horizons by PostgreSQL's present statistics, with equal numbers of articles in between. */
export async function setHorizons(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from search_horizons
    where bucket = ${statisticsBucket}`);
  await tx.run(orOverServers(horizonsOfOneServer(), horizonsOfShards));
}
