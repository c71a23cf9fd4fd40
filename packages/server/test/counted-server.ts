// A server without a pipeline behind a counting proxy. Changes the environment: its file needs its own process.
import { openCountingProxy } from './counting-proxy.ts';
import type { CountingProxy } from './counting-proxy.ts';
import { setup } from './global-setup.ts';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';

export interface CountedServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly proxy: CountingProxy;
}

/** Starts both, and a database too where the file is run without one. */
export async function startCounted(): Promise<CountedServer> {
  const name = 'COLOPHON_TEST_DATABASE';
  await using parts = new AsyncDisposableStack();
  if (process.env[name] === undefined) {
    const { env, dispose } = await setup();
    parts.defer(dispose);
    Object.assign(process.env, env);
  }
  const connection = JSON.parse(process.env[name] ?? '');
  const proxy = parts.use(await openCountingProxy(connection));
  process.env[name] = JSON.stringify({ ...connection, host: proxy.host });
  // Without a pipeline, and without the last uses of tokens: their statements would be counted too.
  const server = parts.use(await startServer({ ROLE: 'web' }, { lastUsedMs: 3_600_000 }));
  const all = parts.move();
  return { server, proxy, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
