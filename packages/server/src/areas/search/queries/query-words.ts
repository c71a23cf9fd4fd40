// What the database knows of words: how its dictionaries read them, which words of titles are like them, and how
// common they are.
import { justFirst, sql } from '#database';
import type { Db } from '#database';
import { yieldAfterPieces } from '#lib/pieces';
import { textsToParse } from '../rules/parse-query.ts';
import type { ParsedQuery } from '../rules/parse-query.ts';
import { bucketOfWord } from '../rules/spelling.ts';
import { asIndexed } from '../rules/text-forms.ts';

/** The bucket of all statistics, which are about all articles together. */
export const statisticsBucket = 0;

/** How one or more configurations parse one group of a query: tsqueries as text. */
export interface Reading {
  /** Index in `groups`. */
  readonly part_of: number;
  /** The configurations with this result. */
  readonly configurations: readonly string[];
  /** All words without alternatives; null if there are only stop words. */
  readonly plain: string | null;
  /** The same as a phrase; null if it is a single word. */
  readonly phrase: string | null;
  /** For each part with alternatives, a query for any of them. */
  readonly choices: readonly string[];
  /** The excluded words, in any configuration; null if nothing is excluded. */
  readonly unwanted: string | null;
}

/**
 * Returns how each of these text-search configurations parses a query; by default, all configurations that
 * documents use. Configurations that the server lacks are omitted. Equal results are combined, because most
 * configurations parse most words alike.
 */
export function listReadings(
  db: Db,
  parsed: ParsedQuery,
  configurations?: readonly string[],
): Promise<readonly Reading[]> {
  const input = textsToParse(parsed);
  return db.rows(sql<Reading>`
    with given as (
      select part_of, part, is_unwanted, is_typed, words
      from unnest(
        ${input.groups}::integer[], ${input.parts}::integer[], ${input.unwanted}::boolean[],
        ${input.typed}::boolean[], ${input.texts}::text[]
      ) as a (part_of, part, is_unwanted, is_typed, words)
    ), configuration as (
      select oid::regconfig as id, cfgname::text as name
      from pg_catalog.pg_ts_config
      where cfgnamespace = 'pg_catalog'::regnamespace
        and cfgname = any(coalesce(
          ${configurations ?? null}::text[],
          array(
            select configuration
            from search_configurations
            where bucket = ${statisticsBucket}
          )
        ))
    ), part as (
      select a.part_of, a.part, a.is_unwanted, c.name,
        string_agg(distinct '(' || q.query::text || ')', ' | ') as query,
        max(phraseto_tsquery(c.id, a.words)::text) as phrase
      from given a
      cross join configuration c
      cross join lateral (select websearch_to_tsquery(c.id, a.words) as query) q
      where numnode(q.query) > 0
      group by a.part_of, a.part, a.is_unwanted, c.name
      -- An alternative to a stop word is omitted where the stop word is.
      having bool_or(a.is_typed)
    ), wanted as (
      select part_of, plain, phrase, choices, array_agg(name order by name) as configurations
      from (
        select part_of, name, max(query) filter (where part = -1) as plain,
          max(phrase) filter (where part = -1 and phrase like '%<%') as phrase,
          coalesce(array_agg(query order by part) filter (where part >= 0), '{}') as choices
        from part
        where not is_unwanted
        group by part_of, name
      ) as whole
      group by part_of, plain, phrase, choices
    ), unwanted as (
      select part_of, string_agg(distinct query, ' | ') as query
      from part
      where is_unwanted
      group by part_of
    )
    select g.part_of, coalesce(w.configurations, '{}') as configurations, w.plain, w.phrase,
      coalesce(w.choices, '{}') as choices, u.query as unwanted
    from generate_series(0, ${input.groupCount - 1}::integer) as g (part_of)
    left join wanted w on w.part_of = g.part_of
    left join unwanted u on u.part_of = g.part_of
    order by g.part_of, w.plain, w.phrase, w.choices`);
}

interface Form {
  readonly configuration: string;
  readonly word: string;
  readonly lexemes: readonly string[];
}

/** Returns the lexemes of words in a configuration, to determine which of them match. */
export async function listForms(
  db: Db,
  texts: readonly Pick<Form, 'configuration' | 'word'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (texts.length === 0) return new Map();
  const indexed: string[] = [];
  const yieldIfDue = yieldAfterPieces();
  for (const { word } of texts) {
    indexed.push(asIndexed(word));
    await yieldIfDue(word.length);
  }
  const rows = await db.rows(sql<Form>`
    select t.configuration, t.word, tsvector_to_array(to_tsvector(c.oid::regconfig, t.indexed)) as lexemes
    from unnest(
      ${texts.map(({ configuration }) => configuration)}::text[],
      ${texts.map(({ word }) => word)}::text[],
      ${indexed}::text[]
    ) as t (configuration, word, indexed)
    join pg_catalog.pg_ts_config c
      on c.cfgname = t.configuration and c.cfgnamespace = 'pg_catalog'::regnamespace
    order by t.configuration, t.word`);
  return new Map(rows.map((row) => [`${row.configuration} ${row.word}`, row.lexemes]));
}

interface Found {
  readonly word: string;
}

const mostNearby = 200;

/**
 * Returns words of titles that share one of these numbers. The order is by an expression, because in the order of the
 * index of words the planner may read all words in search of a few.
 */
export async function listNearbyWords(
  db: Db,
  nearby: readonly number[],
): Promise<readonly string[]> {
  const rows = await db.rows(sql<Found>`
    -- every bucket: a typo may lead to a word of any
    select word
    from search_words
    where nearby && ${nearby}::integer[]
    order by word || ''
    ${justFirst(mostNearby)}`);
  return rows.map(({ word }) => word);
}

const mostBegun = 300;

/** Returns words of titles that begin with these letters. */
export async function listWordsBegunBy(db: Db, beginning: string): Promise<readonly string[]> {
  const rows = await db.rows(sql<Found>`
    -- every bucket: a beginning may be that of a word of any
    select word
    from search_words
    where word >= ${beginning} and word < ${`${beginning}\u{10ffff}`}
    order by word
    ${justFirst(mostBegun)}`);
  return rows.map(({ word }) => word);
}

/** Returns those of these words that a title contains. */
export async function listKnownWords(db: Db, words: readonly string[]): Promise<readonly string[]> {
  if (words.length === 0) return [];
  const rows = await db.rows(sql<Found>`
    select w.word
    from unnest(${words.map(bucketOfWord)}::smallint[], ${words}::text[]) as asked (bucket, word)
    join search_words w on w.bucket = asked.bucket and w.word = asked.word
    order by w.word`);
  return rows.map(({ word }) => word);
}

interface Share {
  readonly place: 'document' | 'title' | 'marks';
  readonly word: string;
  readonly share: number;
}

/** Returns all shares of words in texts and titles, and of marks: some thousands at most. */
export function listShares(db: Db): Promise<readonly Share[]> {
  return db.rows(sql<Share>`
    select place, word, share
    from search_term_frequencies
    where bucket = ${statisticsBucket}
    order by place, word`);
}

/** The number of articles newer than a time. */
export interface Horizon {
  readonly newer: number;
  readonly at: string;
}

/** Returns horizons from the newest to the oldest; all articles are newer than the last one. */
export function listHorizons(db: Db): Promise<readonly Horizon[]> {
  return db.rows(sql<Horizon>`
    select newer, at
    from search_horizons
    where bucket = ${statisticsBucket}
    order by newer`);
}
