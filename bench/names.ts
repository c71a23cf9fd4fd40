// Registering people when millions of names are taken, against the same with a thousand.
import type pg from 'pg';
import { BUCKETS } from '../packages/server/src/lib/id.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { runLoad } from './parts/load.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 2);
const many = Number(process.env['BENCH_NAMES'] ?? 10_000_000);
const few = 1_000;
const connections = 8;
const goal = 1.5;

/** Inserts names without principals, in all buckets: a registration reads nothing else of others. */
async function fillNames(client: pg.Client, count: number): Promise<void> {
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'`);
  // Random keys would be inserted into the index one by one; it is built at the end.
  await client.query('alter table usernames drop constraint usernames_skeleton_pkey');
  await client.query(
    `insert into usernames (bucket, skeleton, username, principal_id, created_at)
    select hashtext(n::text) & $2, left(md5(n::text), 18), left(md5(n::text), 18),
      '01' || upper(left(md5('id ' || n), 24)), now()
    from generate_series(1, $1) as n`,
    [count, BUCKETS - 1],
  );
  await client.query(
    'alter table usernames add constraint usernames_skeleton_pkey primary key (bucket, skeleton)',
  );
  await client.query('vacuum analyze usernames');
}

await using database = await openBenchDatabase({ max_wal_size: '4GB' });
const urls = { few: await database.another('few'), many: await database.another('many') };
const since = performance.now();
await database.asOwner((client) => fillNames(client, few), 'few');
await database.asOwner((client) => fillNames(client, many), 'many');
const fillSeconds = roundToThree((performance.now() - since) / 1000);
await database.asOwner((client) => client.query('checkpoint'));

const settings = { LIMITS: 'off', ROLE: 'web' };
await using small = await startColophon(urls.few, settings);
await using large = await startColophon(urls.many, settings);
const register = (url: string) => async () =>
  (await runLoad({ url, registers: true, connections, seconds })).perSecond;
const sides = { few: register(small.url), many: register(large.url) };
for (const warmUp of Object.values(sides)) await warmUp();
const medians = await alternate(rounds, sides);

show(
  'names',
  [
    {
      'per s at 1,000': Math.round(medians.few),
      [`per s at ${many.toLocaleString('en')}`]: Math.round(medians.many),
      'times slower': roundToThree(medians.few / medians.many),
      goal,
    },
  ],
  { rounds, seconds, connections, fill_seconds: fillSeconds },
);
