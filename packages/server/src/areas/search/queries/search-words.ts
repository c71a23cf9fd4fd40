// SQL on search_words: the words of titles, so that one with a typo and the beginning of one find them.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';

/** A word of a title, in the bucket of its hash. */
export interface KeptWord {
  readonly bucket: number;
  readonly word: string;
  /** Numbers that words one edit away have too. */
  readonly nearby: readonly number[];
}

const bucketsOf = (words: readonly KeptWord[]) => words.map(({ bucket }) => bucket);
const textsOf = (words: readonly KeptWord[]) => words.map(({ word }) => word);

/**
 * Inserts words, and locks those that exist, with those that are about to go, until the transaction ends: nobody
 * deletes a word that a title gets in a transaction that is not committed yet. One statement in the order of
 * the keys, so that two transactions never wait for each other. No request ever waits here.
 */
export async function holdWords(
  tx: Tx,
  kept: readonly KeptWord[],
  going: readonly KeptWord[],
): Promise<void> {
  const words = [...kept, ...going];
  if (words.length === 0) return;
  await tx.run(sql`
    insert into search_words (bucket, word, nearby)
    select w.bucket, w.word, w.nearby::integer[]
    from unnest(
      ${bucketsOf(words)}::smallint[], ${textsOf(words)}::text[],
      ${words.map(({ nearby }) => `{${nearby.join(',')}}`)}::text[],
      ${words.map((_, place) => place < kept.length)}::boolean[]
    ) as w (bucket, word, nearby, is_kept)
    where w.is_kept
      or exists (
        select
        from search_words s
        where s.bucket = w.bucket and s.word = w.word
      )
    order by w.bucket, w.word
    on conflict on constraint search_words_word_pkey
    do update set nearby = excluded.nearby
    -- A row that this leaves out is locked all the same.
    where search_words.nearby <> excluded.nearby`);
}

/** Deletes those of these words, which must be held, that no title has any more. */
export async function deleteUnusedWords(tx: Tx, words: readonly KeptWord[]): Promise<void> {
  if (words.length === 0) return;
  await tx.run(sql`
    -- every bucket: a word is kept as long as any title has it
    delete from search_words w
    using (
      select gone.bucket, gone.word
      from unnest(${bucketsOf(words)}::smallint[], ${textsOf(words)}::text[]) as gone (bucket, word)
    ) as gone
    where w.bucket = gone.bucket
      and w.word = gone.word
      and not exists (
        select
        from article_search s
        where s.title @@ (quote_literal(gone.word))::tsquery
      )`);
}

interface Found {
  readonly word: string;
}

const mostNearby = 200;

/** Words of titles that share one of these numbers. */
export async function listNearbyWords(
  db: Db,
  nearby: readonly number[],
): Promise<readonly string[]> {
  const rows = await db.rows(sql<Found>`
    -- every bucket: a typo may lead to a word of any
    select word
    from search_words
    where nearby && ${nearby}::integer[]
    order by word
    ${justFirst(mostNearby)}`);
  return rows.map(({ word }) => word);
}

const mostBegun = 300;

/** Words of titles that begin with these letters. */
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

/** Those of these words that a title has. */
export async function listKnownWords(
  db: Db,
  words: readonly Pick<KeptWord, 'bucket' | 'word'>[],
): Promise<readonly string[]> {
  const rows = await db.rows(sql<Found>`
    select w.word
    from unnest(
      ${words.map(({ bucket }) => bucket)}::smallint[], ${words.map(({ word }) => word)}::text[]
    ) as asked (bucket, word)
    join search_words w on w.bucket = asked.bucket and w.word = asked.word
    order by w.word`);
  return rows.map(({ word }) => word);
}
