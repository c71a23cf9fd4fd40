// Serves the files of the transparency log as C2SP tlog-tiles requires: GET /log/checkpoint and /log/tile/….
import type { FastifyInstance } from 'fastify';
import type { LimitAnonymous } from './limit-anonymous.ts';
import { problem } from './problem.ts';

/** Returns the bytes at a path below `/log/`; undefined if the log has no such file. */
export type ReadLogFile = (path: string) => Promise<Uint8Array | undefined>;

const open = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/** A checkpoint is replaced by the next one; a tile never changes, whether it is full or not. */
const headersOf = (path: string): Record<string, string> =>
  path === 'checkpoint'
    ? { ...open, 'cache-control': 'no-cache', 'content-type': 'text/plain; charset=utf-8' }
    : {
        ...open,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'application/octet-stream',
      };

/** Five elements of three digits are more than any index has; the sixth is the width of a partial tile. */
const elementsMax = 6;

const tilePaths = Array.from({ length: elementsMax }, (_, count) => {
  const elements = Array.from({ length: count + 1 }, (_element, at) => `{element${at + 1}}`);
  return `/log/tile/{level}/${elements.join('/')}`;
});

export const logRoutes = ['/log/checkpoint', ...tilePaths].map((path) => ({
  method: 'GET' as const,
  path,
}));

async function readFile(read: ReadLogFile, path: string): Promise<Uint8Array> {
  const bytes = await read(path).catch((cause: unknown) => {
    const detail = 'The log cannot be read at the moment. Try again later.';
    throw Object.assign(problem('unavailable', detail, { retry_after_seconds: 5 }), { cause });
  });
  if (bytes !== undefined) return bytes;
  throw problem(
    'not-found',
    'The log has no file with this path. Its checkpoint says how many leaves it has, and C2SP tlog-tiles how their tiles are named.',
  );
}

/** Adds the paths. They need no token and ignore any. */
export function addLogFiles(app: FastifyInstance, read: ReadLogFile, admit: LimitAnonymous): void {
  for (const path of ['/log/checkpoint', '/log/tile/*']) {
    app.get(path, async (request, reply) => {
      await admit(request, reply);
      const file = (request.url.split('?')[0] ?? '').slice('/log/'.length);
      const bytes = await readFile(read, file);
      return reply.headers(headersOf(file)).send(bytes);
    });
  }
}
