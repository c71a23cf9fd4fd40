// A proxy in front of a PostgreSQL that resets connections, holds new ones back without an answer, or falls silent.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';

export interface ResetProxy extends AsyncDisposable {
  /** The same database through the proxy. */
  readonly connection: pg.ClientConfig;
  /** New connections are accepted and get no answer until `reset`. */
  holdBack(): void;
  /** Connections that are held back now. */
  held(): number;
  /** Nothing passes on the present connections any more, and none is closed: their machine has vanished. */
  vanish(): void;
  /** Resets every connection (RST), those held back too; new ones reach the database again. */
  reset(): void;
}

/** Both ends close together, however one of them does. */
function linkEnds(near: Socket, far: Socket): void {
  near.pipe(far).pipe(near);
  near.on('close', () => far.destroy()).on('error', () => far.destroy());
  far.on('close', () => near.destroy()).on('error', () => near.destroy());
}

/** Listens on a free port of the loopback address. `target` names a Unix socket, as the embedded database has it. */
export async function resetProxy(target: pg.ClientConfig): Promise<ResetProxy> {
  const socketPath = join(target.host ?? '', `.s.PGSQL.${target.port}`);
  const open = new Set<Socket>();
  const reached = new Set<Socket>();
  const waiting = new Set<Socket>();
  let holding = false;
  const server = createServer((near) => {
    open.add(near);
    near.on('close', () => void open.delete(near));
    if (!holding) {
      const far = connect(socketPath);
      reached.add(far);
      far.on('close', () => void reached.delete(far));
      return linkEnds(near, far);
    }
    waiting.add(near);
    near.on('error', () => undefined).on('close', () => void waiting.delete(near));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = () => {
    holding = false;
    for (const one of open) one.resetAndDestroy();
  };
  return {
    connection: { ...target, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    holdBack: () => (holding = true),
    held: () => waiting.size,
    vanish: () => {
      for (const one of open) one.unpipe().pause();
      for (const far of reached) far.unpipe().pause();
    },
    reset,
    [Symbol.asyncDispose]: async () => {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}
