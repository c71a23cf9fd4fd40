// Statements that keep search_words, the words of titles, for searches by typos and beginnings.
import { orOverServers, sql } from '#database';
import type { Statement, Tx } from '#database';

/** A word of a title, in the bucket of its hash. */
export interface WordRow {
  readonly bucket: number;
  readonly word: string;
  /** Numbers that words one edit away have as well. */
  readonly nearby: readonly number[];
}

const bucketsOf = (words: readonly WordRow[]) => words.map(({ bucket }) => bucket);
const textsOf = (words: readonly WordRow[]) => words.map(({ word }) => word);

/**
 * Inserts words, and locks existing words and those to be deleted until the transaction ends, so that no
 * transaction deletes a word that an uncommitted title needs. One statement in the order of the keys
 * prevents deadlocks. Requests never wait here.
 */
export async function lockWords(
  tx: Tx,
  kept: readonly WordRow[],
  going: readonly WordRow[],
): Promise<void> {
  const words = [...kept, ...going];
  if (words.length === 0) return;
  const statement = (isKnown: Statement) => sql`
    insert into search_words (bucket, word, nearby)
    select w.bucket, w.word, w.nearby::integer[]
    from unnest(
      ${bucketsOf(words)}::smallint[], ${textsOf(words)}::text[],
      ${words.map(({ nearby }) => `{${nearby.join(',')}}`)}::text[],
      ${words.map((_, place) => place < kept.length)}::boolean[]
    ) as w (bucket, word, nearby, is_kept)
    where w.is_kept
      or ${isKnown}
    order by w.bucket, w.word
    on conflict on constraint search_words_word_pkey
    do update set nearby = excluded.nearby
    -- A row that this condition excludes is locked nevertheless.
    where search_words.nearby <> excluded.nearby`;
  const known = sql`exists (
        select 1
        from search_words s
        where s.bucket = w.bucket and s.word = w.word
      )`;
  const knownOverServers = sql`(w.bucket, w.word) in (
        select bucket, word
        from search_words
        where bucket = any(${bucketsOf(words)}::smallint[]) and word = any(${textsOf(words)})
      )`;
  await tx.run(orOverServers(statement(known), () => statement(knownOverServers)));
}

/** Deletes those of these locked words that no title contains any more. */
export async function deleteUnusedWords(tx: Tx, words: readonly WordRow[]): Promise<void> {
  if (words.length === 0) return;
  const one = sql`
    -- every bucket: a word is kept as long as any title has it
    delete from search_words w
    using (
      select gone.bucket, gone.word
      from unnest(${bucketsOf(words)}::smallint[], ${textsOf(words)}::text[]) as gone (bucket, word)
    ) as gone
    where w.bucket = gone.bucket
      and w.word = gone.word
      and not exists (
        select 1
        from article_search s
        where s.title @@ (quote_literal(gone.word))::tsquery
      )`;
  const overServers = () => sql`
    -- every bucket: a word is kept as long as any title has it
    with used as materialized (
      select distinct gone.word
      from unnest(${textsOf(words)}::text[]) as gone (word)
      join article_search s on s.title @@ (quote_literal(gone.word))::tsquery
    )
    delete from search_words w
    where w.bucket = any(${bucketsOf(words)}::smallint[])
      and w.word = any(${textsOf(words)})
      and w.word not in (select word from used)`;
  await tx.run(orOverServers(one, overServers));
}
