// A second instance of the service on the database of a test server, with connections of its own: for races.
import { createApp } from '#app';
import { openDatabase } from '#database';
import type { Bounds } from '#http';
import type { Services } from '#services';
import { ownPort } from './own-port.ts';

/** With the value 2 in the environment, test servers have a second instance, and requests take turns. */
export const serversVariable = 'TEST_SERVERS';

interface Started {
  readonly bounds: Partial<Bounds>;
  readonly patience: number;
}

/** Returns the addresses that requests of a test take in turn: the first's, and that of a second one if wanted. */
export async function addressesOf(
  services: Services,
  opened: AsyncDisposableStack,
  { bounds, patience }: Started,
): Promise<readonly string[]> {
  const { config, connection } = services;
  if (process.env[serversVariable] !== '2' || config.role === 'worker') return [config.baseUrl];
  const port = await ownPort();
  const db = opened.use(
    openDatabase({ connection, readers: 2, writers: 12, patience, onError: () => undefined }),
  );
  // Only the first one runs the pipeline, as with several processes on one host.
  const own: Services = { ...services, db, config: { ...config, port, role: 'web' } };
  const app = opened.use(await createApp(own, { strict: true, bounds }));
  await app.server?.listen({ host: config.host, port });
  return [config.baseUrl, `http://${config.host}:${port}`];
}
