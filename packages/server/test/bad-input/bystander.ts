// Somebody else who uses the server meanwhile, and what must be left when the bad input is over.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestServer } from '../harness.ts';
import { until } from '../throw-away-database.ts';

export interface Bystander {
  /** Ends it and answers how often it asked and the slowest of its answers, in milliseconds. */
  stop(): Promise<{ readonly asked: number; readonly slowestMs: number }>;
}

/** Reads one article again and again; every answer must be valid. */
export function startBystander(server: TestServer, path: string): Bystander {
  let stopped = false;
  let slowestMs = 0;
  let asked = 0;
  const running = (async () => {
    while (!stopped) {
      const startedAt = performance.now();
      const response = await server.ask('GET', path);
      assert.equal(response.status, 200, `a bystander is served: ${JSON.stringify(response.body)}`);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      asked += 1;
      await wait(10);
    }
  })();
  running.catch(() => undefined);
  return {
    stop: async () => {
      stopped = true;
      await running;
      return { asked, slowestMs };
    },
  };
}

function connectionsOf(server: TestServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.app.server?.server.getConnections((error, count) =>
      error ? reject(error) : resolve(count),
    );
  });
}

/** No connection, transaction or read is left behind, and the server still writes. */
export async function checkNothingLeft(server: TestServer, token: string): Promise<void> {
  // The tests' own idle connections count too: they end when the server closes idle ones.
  server.app.server?.server.closeIdleConnections();
  await until('no connection is left', async () => {
    server.app.server?.server.closeIdleConnections();
    return (await connectionsOf(server)) === 0;
  });
  await until('no transaction and no read is left', () => {
    const { writersBusy, writersWaiting, reads } = server.db.counts();
    return writersBusy + writersWaiting + reads === 0;
  });
  const body = { title: 'Still here', content: 'The server works.' };
  const response = await server.ask('POST', '/v1/articles', { token, key: true, body });
  assert.equal(response.status, 201, JSON.stringify(response.body));
}

/** Runs `work` over all items, `atOnce` at a time. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++)
      await work(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
