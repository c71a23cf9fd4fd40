// Fills the search index of a database as the pipeline would, by a few statements over all articles.
import type pg from 'pg';
import { wordRows } from '../../packages/server/src/areas/search/rules/spelling.ts';

const configurations = `(values
    ('en', 'english'), ('de', 'german'), ('fr', 'french'), ('es', 'spanish'), ('ja', 'simple')
  ) as known (language, configuration)`;

const spans = ['day', 'week', 'month', 'quarter', 'year'].map(
  (span) =>
    `'${span}:' || to_char(date_trunc('${span}', a.published_at at time zone 'utc'), 'YYYY-MM-DD')`,
);

const insertRows = `
  insert into article_search (
    bucket, article_id, revision_id, document, indexed_at, configuration, title, title_length, marks,
    published_at
  )
  select a.bucket, a.id, a.published_revision_id,
    setweight(to_tsvector(known.configuration::regconfig, c.title), 'A')
      || setweight(to_tsvector(known.configuration::regconfig, c.content), 'B'),
    now(), known.configuration,
    to_tsvector(known.configuration::regconfig, c.title) || array_to_tsvector(plain.words),
    cardinality(plain.words),
    array[
      'author:' || a.author_id, 'kind:' || a.author_kind, 'language:' || a.language,
      'disclosure:' || a.disclosure, 'signed:' || a.signed, 'topic:' || t.topic, ${spans.join(', ')}
    ],
    a.published_at
  from articles a
  join article_topics t on t.bucket = a.bucket and t.article_id = a.id
  join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
  join contents c on c.bucket = r.bucket and c.hash = r.held_hash
  join ${configurations} on known.language = a.language
  cross join lateral (select array(select distinct unnest(string_to_array(c.title, ' '))) as words) plain
  where a.listed and a.bucket between $1 and $2
  order by a.published_at, a.id`;

const wordsAtOnce = 5_000;

async function insertWords(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ word: string }>(`
    select distinct unnest(string_to_array(c.title, ' ')) as word
    from articles a
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.listed`);
  const kept = wordRows(rows.map(({ word }) => word));
  for (let from = 0; from < kept.length; from += wordsAtOnce) {
    const batch = kept.slice(from, from + wordsAtOnce);
    await client.query(
      `insert into search_words (bucket, word, nearby)
      select w.bucket, w.word, w.nearby::integer[]
      from unnest($1::smallint[], $2::text[], $3::text[]) as w (bucket, word, nearby)`,
      [
        batch.map(({ bucket }) => bucket),
        batch.map(({ word }) => word),
        batch.map(({ nearby }) => `{${nearby.join(',')}}`),
      ],
    );
  }
  return kept.length;
}

export interface IndexFigures {
  readonly words: number;
  readonly rowsSeconds: number;
  readonly indexSeconds: number;
}

/** Inserts all search rows, then builds their index and the statistics that the planner uses. */
export async function fillSearch(client: pg.Client): Promise<IndexFigures> {
  const since = performance.now();
  const definition = `create index article_search_document_idx
    on article_search using gin (document, title, marks) with (fastupdate = off)`;
  await client.query('drop index article_search_document_idx');
  await client.query(insertRows, [0, 4095]);
  await client.query(`insert into search_configurations (bucket, configuration)
    select 0, configuration from ${configurations} on conflict do nothing`);
  const words = await insertWords(client);
  const rowsSeconds = (performance.now() - since) / 1000;
  await client.query(`set maintenance_work_mem = '512MB'`);
  const indexing = performance.now();
  await client.query(definition);
  const indexSeconds = (performance.now() - indexing) / 1000;
  await client.query('vacuum analyze article_search');
  await client.query('vacuum analyze search_words');
  return { words, rowsSeconds, indexSeconds };
}
