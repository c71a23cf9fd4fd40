// The revisions of an article: first page against last, with a thousand and ten thousand revisions.
import { openBenchDatabase } from './parts/database.ts';
import { registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import type { Row } from './parts/figures.ts';
import { runLoad } from './parts/load.ts';
import { listRevisions } from '../packages/server/src/areas/articles/queries/index.ts';
import type { RevisionPage } from '../packages/server/src/areas/articles/queries/index.ts';
import type { Db, Statement } from '../packages/server/src/database/index.ts';
import { bucketOf, newId } from '../packages/server/src/lib/id.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 2);
const connections = 8;
const pageItems = 20;
const goal = 1.3;

/** A published article of which every third revision was never published. */
const insertHistory = `
  with made as (
    insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
    select $1, $2 || n, 'Title ' || n, repeat('Some text. ', 100), '{}', 'Some text.', now()
    from generate_series(1, cardinality($4::text[])) as n
  ), article as (
    insert into articles (
      bucket, id, author_id, author_kind, status, visibility, language, disclosure, latest_revision_id,
      published_revision_id, published_at, created_at, updated_at
    )
    values ($1, $2, $3, 'human', 'published', 'public', 'en', 'human_authored',
      $4[cardinality($4)], $4[1], now(), now(), now())
  )
  insert into revisions (
    bucket, article_id, id, previous_revision_id, content_hash, signing_base, created_at, published_at
  )
  select $1, $2, id, $4[n - 1], $2 || n, 'http://127.0.0.1', now(), case when n % 3 <> 0 then now() end
  from unnest($4::text[]) with ordinality as g (id, n)`;

await using database = await openBenchDatabase();
await using colophon = await startColophon(database.url());
const author = await registerAuthor(colophon.url);

interface History {
  readonly id: string;
  /** Oldest first. */
  readonly revisions: readonly string[];
}

async function fill(count: number): Promise<History> {
  const bucket = bucketOf(author.id);
  const id = newId(bucket);
  const revisions = Array.from({ length: count }, () => newId(bucket));
  await database.asOwner(async (client) => {
    await client.query(insertHistory, [bucket, id, author.id, revisions]);
    await client.query('analyze');
  });
  return { id, revisions };
}

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** Returns the blocks that a page reads, with a generic plan: free of noise. */
async function blocksOf(page: RevisionPage): Promise<number> {
  let statement: Statement | undefined;
  const db: Pick<Db, 'rows'> = {
    rows: async (given) => {
      statement = given as Statement;
      return [];
    },
  };
  await listRevisions(db as Db, page);
  const { text = '', values = [] } = statement ?? {};
  return database.asOwner(async (client) => {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare page as ${text}`);
    const given = (values as readonly (string | number | boolean | null)[]).map((value) =>
      value === null ? 'null' : client.escapeLiteral(String(value)),
    );
    const { rows: plans } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) execute page (${given.join()})`,
    );
    const plan = plans[0]?.['QUERY PLAN'][0].Plan;
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  });
}

const small = await fill(1_000);
const large = await fill(10_000);

const rows: Row[] = [];
for (const [who, token] of [
  ['author', author.token],
  ['anybody', undefined],
] as const) {
  for (const history of [small, large]) {
    const { id, revisions } = history;
    const last = revisions[who === 'author' ? pageItems : pageItems * 1.5];
    const path = `/v1/articles/${id}/revisions`;
    const load = (query: string) => async () =>
      (await runLoad({ url: colophon.url, paths: [path + query], connections, seconds, token }))
        .perSecond;
    const sides = { first: load(''), last: load(`?cursor=${last}`) };
    for (const warmUp of Object.values(sides)) await warmUp();
    const medians = await alternate(rounds, sides);
    const page = {
      bucket: bucketOf(id),
      id,
      limit: pageItems,
      allFor: who === 'author' ? author.id : null,
      all: false,
    };
    rows.push({
      revisions: revisions.length,
      reader: who,
      'first page/s': Math.round(medians.first),
      'last page/s': Math.round(medians.last),
      'times slower': roundToThree(medians.first / medians.last),
      goal,
      'blocks of the first': await blocksOf({ ...page, before: undefined }),
      'blocks of the last': await blocksOf({ ...page, before: last }),
    });
  }
}

show('history', rows, { rounds, seconds, connections });
