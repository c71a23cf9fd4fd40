// Who reads a page, for the problem that is shown in place of it.
import type { FastifyRequest } from 'fastify';
import type { Reader } from './components/page-frame.ts';
import type { PageContext } from './context.ts';

const readers = new WeakMap<FastifyRequest, Reader>();

/** Notes who sent a request, as soon as that is known. */
export function noteReader(
  request: FastifyRequest,
  { caller, scripts }: Pick<PageContext, 'caller' | 'scripts'>,
): void {
  readers.set(request, { caller, live: scripts.live });
}

/** Returns who sent a request; undefined if it was refused before that was known. */
export function readerOf(request: FastifyRequest): Reader | undefined {
  return readers.get(request);
}
