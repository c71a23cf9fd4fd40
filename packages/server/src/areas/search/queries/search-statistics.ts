// Statements that keep the statistics with which searches are planned: shares of words, and horizons.
import { sql } from '#database';
import type { Tx } from '#database';
import { statisticsBucket } from './query-words.ts';

/** The minimum number of articles to store a word: a word of a single article must not remain here. */
const fewest = 100;

/** Replaces the shares by PostgreSQL's present statistics; '' has the smallest known share. */
export async function setShares(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from search_term_frequencies
    where bucket = ${statisticsBucket}`);
  await tx.run(sql`
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
    do nothing`);
}

/** Replaces the horizons by PostgreSQL's present statistics, with equal numbers of articles in between. */
export async function setHorizons(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from search_horizons
    where bucket = ${statisticsBucket}`);
  await tx.run(sql`
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
    do nothing`);
}
