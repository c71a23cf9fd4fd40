// Starting wrongly, twice, or at once: each refusal is one sentence, and what runs goes on.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { cloneDatabase } from '../database.ts';
import { until } from '../throw-away-database.ts';
import { assertSentence, refusal as refusalIn, refusalsOf } from './refusals.ts';
import { makePlace, unkept } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

let place: Place;
let first: ServerProcess;
let baseUrl: string;

before(async () => {
  // The first start makes the database.
  place = await makePlace('none');
});

after(async () => {
  await place[Symbol.asyncDispose]();
});

const refusal = (settings: Readonly<Record<string, string>>) => refusalIn(place.folder, settings);

test('PORT=0 takes a free port and prints the address', { timeout: 900_000 }, async () => {
  // A file is in the way of the folder.
  await writeFile(join(place.folder, 'in-the-way'), '');
  first = place.start({ PORT: '0', BACKUP_TO: join(place.folder, 'in-the-way/backups') });
  const said = () =>
    first.log
      .map((line) => /http:\/\/localhost:(\d+)/.exec(line.msg ?? '')?.[0])
      .find((url) => url !== undefined);
  await until('the address is printed', () => said() !== undefined);
  baseUrl = said() ?? '';
  assert.notEqual(new URL(baseUrl).port, '');
  const answer = await fetch(`${baseUrl}/v1/meta`, { headers: unkept });
  const meta = (await answer.json()) as { base_url: string };
  assert.equal(meta.base_url, baseUrl);
});

test('a place for backups that cannot be written is named at the start, which goes on', async () => {
  const said = first.log.filter(({ msg }) => msg?.startsWith('BACKUP_TO cannot be used'));
  assert.equal(said.length, 1);
  assert.match(JSON.stringify(said), /in-the-way\/backups cannot be created \(ENOTDIR\)/);
});

test(
  'a second server on the same folder refuses with a sentence, the first goes on',
  { timeout: 900_000 },
  async () => {
    assertSentence(await refusal({ PORT: '0', DATA_DIR: place.dataDir }), [
      'already uses',
      place.dataDir,
    ]);
    assert.equal((await fetch(`${baseUrl}/readyz`, { headers: unkept })).status, 200);
    first.kill('SIGINT');
    assert.equal((await first.ended).code, 0);
  },
);

test(
  'a port in use is named, and the database that was started for it ends',
  { timeout: 900_000 },
  async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const server = place.start({ PORT: String(port) });
    assert.equal((await server.ended).code, 1);
    assertSentence(server.complaint(), [String(port), 'PORT']);
    await until('its database ends', async () => !(await place.databaseRuns()));
    squatter.close();
  },
);

test(
  'two servers that start at once on one empty database both come up, and it is migrated once',
  { timeout: 900_000 },
  async () => {
    await using database = await cloneDatabase();
    const { host, port, user, database: name } = database.connection;
    const client = new pg.Client({ host, port, user, database: name });
    await client.connect();
    await client.query(
      'drop schema public cascade; create schema public; drop schema if exists graphile_worker cascade',
    );
    const url = `postgres://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
    const servers = [1, 2].map((number) =>
      place.start({
        DATABASE_URL: url,
        PORT: '0',
        DATA_DIR: join(place.folder, `shared-${number}`),
      }),
    );
    const said = (server: (typeof servers)[number]) =>
      server.log.find((line) => line.msg?.includes('serves on'));
    const states = () => servers.map((server) => server.complaint()).join('');
    await until(`both serve ${states()}`, () =>
      servers.every((server) => said(server) !== undefined || server.complaint() !== ''),
    );
    assert.equal(states(), '');
    const migrated = servers.flatMap((server) =>
      server.log.filter((line) => 'migration' in line).map((line) => line['migration']),
    );
    assert.equal(new Set(migrated).size, migrated.length, 'each migration ran in one of them');
    assert.ok(migrated.length > 0);
    for (const server of servers) server.kill('SIGTERM');
    for (const server of servers) assert.equal((await server.ended).code, 0);
    await client.end();
  },
);

test(
  'a wrong setting stops the start with one sentence that names it',
  { timeout: 900_000 },
  async () => {
    const broken = join(place.folder, 'broken.json');
    await writeFile(broken, '{"rates": {"reads_per_minute": "many"}}');
    const cases: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
      [{ PORT: 'abc' }, 'PORT'],
      [{ PORT: '65536' }, 'PORT'],
      [{ PORT: '-1' }, 'PORT'],
      [{ PORT: '80 80' }, 'PORT'],
      [{ DATABASE_URL: 'mysql://a:secret@b/c' }, 'DATABASE_URL'],
      [{ DATABASE_URL: 'postgres://a:secret@b:port/c' }, 'DATABASE_URL'],
      [{ DATABASE_URL: 'postgres://a@b/c?sslrootcert=/none/root.crt' }, 'DATABASE_URL'],
      [{ REDIS_URL: 'redis://a:secret%zz@b' }, 'REDIS_URL'],
      [{ REDIS_URL: 'redis://b?password=secret' }, 'REDIS_URL'],
      [{ BASE_URL: 'http://a.example/' }, 'BASE_URL'],
      [{ BASE_URL: 'nowhere' }, 'BASE_URL'],
      [{ ERRORS_BASE_URL: 'ftp://a.example' }, 'ERRORS_BASE_URL'],
      [{ LIMITS: 'nofile.json' }, 'LIMITS'],
      [{ LIMITS: broken }, 'LIMITS'],
      [{ ROLE: 'king' }, 'ROLE'],
      [{ REGISTRATION: 'maybe' }, 'REGISTRATION'],
      [{ DEPLOYMENT: 'prod' }, 'DEPLOYMENT'],
      [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
      [{ PORT: '0', DATA_DIR: broken }, broken],
      [{ PORT: '0', DATABASE_URL: 'postgres://localhost:1/none' }, 'DATABASE_URL'],
      // Looked up once the database runs, which ends with the process: it comes last.
      [{ HOST: 'no-such-host.invalid', DATA_DIR: place.dataDir }, 'HOST'],
    ];
    const all = await refusalsOf(
      place.folder,
      cases.map(([settings]) => settings),
    );
    for (const [at, [, name]] of cases.entries()) {
      const said = all[at]?.sentence ?? '';
      assertSentence(said, [name]);
      assert.doesNotMatch(said, /secret/);
    }
  },
);

/** Variables of libpq in the shell, for another database. They do not reach the embedded one. */
const elsewhere = {
  PGOPTIONS: '-c statement_timeout=1 -c search_path=elsewhere',
  PGHOST: 'elsewhere.example',
  PGUSER: 'someone',
  PGSSLNEGOTIATION: 'direct',
} as const;

test('a first start warns of nothing but root; one without the key of the log says what to do; libpq variables of the shell reach neither', async () => {
  await using other = await makePlace();
  const begun = other.start({ ...elsewhere, PGSSLMODE: 'prefer' });
  await begun.ready(other.baseUrl);
  const warnings = begun.log.filter(({ level }) => Number(level) >= 40).map(({ msg }) => msg ?? '');
  assert.deepEqual(
    warnings.filter((msg) => !msg.startsWith('The server runs as root.')),
    [],
  );
  begun.kill('SIGTERM');
  assert.equal((await begun.ended).code, 0, begun.complaint());
  await rm(join(other.dataDir, 'log', 'key.pem'));
  const server = other.start({ ...elsewhere, PGSSLMODE: 'require' });
  await server.ready(other.baseUrl);
  const lines = server.log.filter(({ level }) => level === 40).map(({ msg }) => msg ?? '');
  assert.match(
    lines.join('\n'),
    /key of the transparency log is missing: put .*key\.pem there again/,
  );
  server.kill('SIGTERM');
  assert.equal((await server.ended).code, 0, server.complaint());
});
