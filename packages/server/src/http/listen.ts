// Listens on one address, and on a second one that the machine may lack.
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config';

/** Maximum number of connections that wait to be accepted. */
const backlog = 1024;

function refusal(host: string, port: number, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${port} on ${host} is in use: stop what uses it, or set PORT.`, {
      cause: error,
    });
  }
  if (error.code === 'EACCES') {
    return new Error(
      `This user is not allowed to listen on port ${port}: set PORT to 1024 or higher.`,
      {
        cause: error,
      },
    );
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new Error(`HOST is ${host}, which is not an address of this machine: set it to one.`, {
      cause: error,
    });
  }
  return error;
}

/** Error codes of a machine without IPv6. */
const absent = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'];

function tryListen(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (absent.includes(error.code ?? '')) resolve(false);
      else reject(refusal(host, port, error));
    });
    server.listen({ host, port, backlog }, () => resolve(true));
  });
}

/**
 * Passes the connections of a second address to the same HTTP server, so that its limits, timeouts and close
 * apply to them too. Fastify's own second address creates a separate server, to which none of these apply.
 * Returns false if the machine lacks the address.
 */
async function listenAlso(app: FastifyInstance, host: string, port: number): Promise<boolean> {
  const { server } = app;
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
  second.maxConnections = server.maxConnections;
  if (!(await tryListen(second, host, port))) return false;
  const close = server.close.bind(server);
  server.close = (done) => {
    let open = 2;
    const oneClosed = (error?: Error) => {
      open -= 1;
      if (open === 0) done?.(error);
    };
    second.close(() => oneClosed());
    return close(oneClosed);
  };
  return true;
}

/**
 * Listens, and returns the addresses with their port as they are written in a URL.
 * @throws Error with a message for the operator
 */
export async function listen(
  app: FastifyInstance,
  { host, alsoHost, port }: Pick<Config, 'host' | 'alsoHost' | 'port'>,
): Promise<readonly string[]> {
  await app.listen({ host, port, backlog }).catch((error: Error) => {
    throw refusal(host, port, error);
  });
  const both = alsoHost !== undefined && (await listenAlso(app, alsoHost, port));
  return [host, ...(both ? [alsoHost] : [])].map((one) =>
    one.includes(':') ? `[${one}]:${port}` : `${one}:${port}`,
  );
}
