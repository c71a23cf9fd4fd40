// Two server processes on one database of the tests, and requests to them.
import { join } from 'node:path';
import type { TestDatabase } from '../database.ts';
import { until } from '../throw-away-database.ts';
import type { Place } from './server-process.ts';

/** Starts both and answers their addresses once they serve. */
export async function startTwo(place: Place, database: TestDatabase): Promise<readonly string[]> {
  const { host, port, user, database: name } = database.connection;
  const url = `postgres://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
  const servers = [1, 2].map((number) =>
    place.start({ DATABASE_URL: url, PORT: '0', DATA_DIR: join(place.folder, `data-${number}`) }),
  );
  const addressOf = (server: (typeof servers)[number]) =>
    server.log
      .map((line) => /serves on (http:\S+)/.exec(line.msg ?? '')?.[1])
      .find((found) => found !== undefined);
  await until('both servers serve', () =>
    servers.every((server) => addressOf(server) !== undefined),
  );
  return servers.map((server) => addressOf(server) ?? '');
}

/** Sends a JSON body under a key of its own. */
export async function post(
  url: string,
  token: string | undefined,
  body: object,
): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}
