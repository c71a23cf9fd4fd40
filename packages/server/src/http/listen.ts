// Listens on one address, and on a second one that the machine may lack, with several sockets each.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config';

/** Maximum number of connections that wait to be accepted, for each socket. */
const backlog = 1024;
/**
 * libuv accepts one connection of a socket in a turn of the event loop, and a busy server has 80 turns a second.
 * The kernel spreads new connections over the sockets of a port (SO_REUSEPORT).
 */
const socketsPerAddress = 16;
/** Where the kernel spreads them. */
const spreading: readonly string[] = ['linux', 'freebsd'];

/** Milliseconds in which a server that listens on a port accepts a connection. */
const connectMs = 1_000;

interface Address {
  readonly host: string;
  readonly port: number;
}

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

function tryListen(server: Server, { host, port }: Address, reusePort: boolean): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (absent.includes(error.code ?? '')) resolve(false);
      else reject(refusal(host, port, error));
    });
    server.listen({ host, port, backlog, reusePort }, () => resolve(true));
  });
}

/**
 * Checks that this machine has the address, by listening on any port of it: a connection to another machine may
 * succeed or wait, and either would be taken for a port in use.
 * @throws Error with a message for the operator
 */
async function requireOwn(host: string): Promise<void> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error) => reject(refusal(host, 0, error)));
  server.listen({ host, port: 0 }, resolve);
  await promise;
  server.close();
  await once(server, 'close');
}

/**
 * Checks that no other server listens there: a socket that shares its port would take a part of its connections. A
 * server that accepts nothing for a second counts too.
 * @throws Error with a message for the operator
 */
async function requireFree({ host, port }: Address): Promise<void> {
  const socket = connect({ host, port, timeout: connectMs });
  const answer = await Promise.race([
    once(socket, 'connect').catch(() => undefined),
    once(socket, 'timeout').catch(() => undefined),
  ]);
  socket.destroy();
  if (answer === undefined) return;
  throw refusal(host, port, Object.assign(new Error(), { code: 'EADDRINUSE' }));
}

/**
 * Listens with more sockets, whose connections are passed to the same HTTP server, so that its limits, timeouts and
 * close apply to them too. Fastify's own second address creates a separate server, to which none of these apply.
 * Returns none if the machine lacks the address.
 */
async function listenBeside(
  server: Server,
  address: Address,
  count: number,
  reusePort: boolean,
): Promise<readonly Server[]> {
  const sockets = Array.from({ length: count }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    ),
  );
  const listens = await Promise.all(sockets.map((one) => tryListen(one, address, reusePort)));
  return sockets.filter((_one, index) => listens[index]);
}

/** Makes `server.close` close the others with it, and report the end of all. */
function closeTogether(server: Server, others: readonly Server[]): void {
  const close = server.close.bind(server);
  server.close = (done) => {
    let open = others.length + 1;
    const oneClosed = (error?: Error) => {
      open -= 1;
      if (open === 0) done?.(error);
    };
    for (const other of others) other.close(() => oneClosed());
    return close(oneClosed);
  };
}

/**
 * Listens, and returns the addresses with their port as they are written in a URL. A process of the supervisor has
 * one socket for each address, which all processes share.
 * @throws Error with a message for the operator
 */
export async function listen(
  app: FastifyInstance,
  { host, alsoHost, port, processName }: Pick<Config, 'host' | 'alsoHost' | 'port' | 'processName'>,
): Promise<readonly string[]> {
  const reusePort = processName === undefined && spreading.includes(process.platform);
  const count = reusePort ? socketsPerAddress : 1;
  const addresses = [host, ...(alsoHost === undefined ? [] : [alsoHost])];
  await requireOwn(host);
  if (reusePort) for (const one of addresses) await requireFree({ host: one, port });
  const options = { host, port, backlog, reusePort };
  await app.listen(options).catch((error: Error) => {
    throw refusal(host, port, error);
  });
  const { server } = app;
  const same = await listenBeside(server, { host, port }, count - 1, reusePort);
  const second =
    alsoHost === undefined
      ? []
      : await listenBeside(server, { host: alsoHost, port }, count, reusePort);
  closeTogether(server, [...same, ...second]);
  return addresses
    .slice(0, second.length > 0 ? 2 : 1)
    .map((one) => (one.includes(':') ? `[${one}]:${port}` : `${one}:${port}`));
}
