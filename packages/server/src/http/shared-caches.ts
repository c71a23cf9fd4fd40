// What shared caches may do with an answer (RFC 9111 section 5.2.2, RFC 5861 section 3).
import type { FastifyReply } from 'fastify';

/**
 * Seconds for which a shared cache may serve its copy of a public answer without asking, and then while it
 * asks. A cache that counts whole seconds may add one. With one more for a slow answer, what a moderator hides
 * is gone after five.
 */
const fresh = 1;
const whileRevalidating = 2;
const sharedFor = `s-maxage=${fresh}, stale-while-revalidate=${whileRevalidating}`;

/** For public answers. Browsers ask every time, so that readers see what they have just changed. */
const revalidated = `public, max-age=0, must-revalidate, ${sharedFor}`;

/** For share images, whose address in pages changes with the image: only shared caches must forget them. */
export const sharedImage = `public, max-age=3600, ${sharedFor}`;

/**
 * Returns the Cache-Control of an answer. `shared`: everybody gets the same one without signing in. An answer
 * that sets a cookie is for one person, whatever it contains.
 */
export function cacheControlOf(reply: FastifyReply, shared: boolean): string {
  return shared && !reply.hasHeader('set-cookie') ? revalidated : 'private, no-store';
}
