// Sends representations: entity tags, cache control, and robots directives.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { acceptsBrotli, noneMatch, reserveAnswer, sentOf, sha1Of, textPayload } from '#http';
import type { Payload } from '#http';
import type { Encoded } from '#lib/pieces';

export interface Representation {
  readonly contentType: string;
  readonly text: string;
  /** Public and listed: shared caches store and revalidate it. */
  readonly shared: boolean;
  /** Private, and asked for again and again: the client names what it has, and gets 304 if nothing changed. */
  readonly polled?: true;
  /** Search engines are asked not to index it. */
  readonly noindex: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** The text as it is sent, if it is kept for several answers; `text` is empty then. */
  readonly encoded?: Encoded;
  /** The same bytes, compressed with Brotli. */
  readonly compressed?: Buffer;
}

/** RFC 9110 section 8.8: the tag is computed before compression, so it is weak. */
function tagOf(payload: Payload): string {
  return sha1Of(payload).slice(0, 16);
}

/** Returns the compressed copy if there is one that the client accepts, and says so in the headers. */
function compressedFor(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { compressed, headers: own }: Representation,
): Buffer | undefined {
  if (compressed === undefined || !acceptsBrotli(headers['accept-encoding'])) return undefined;
  const vary = [own?.['vary'], 'accept-encoding'].filter((one) => one !== undefined);
  void reply.headers({ 'content-encoding': 'br', vary: vary.join(', ') });
  return compressed;
}

/** Sends a representation, or 304 when the client has it. Staging deployments are never indexed. */
export async function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Representation,
  { deployment }: Pick<Config, 'deployment'>,
): Promise<FastifyReply> {
  const payload =
    shown.encoded ??
    (await textPayload(shown.text, (bytes) => reserveAnswer(request, reply, bytes)));
  const noindex = shown.noindex || deployment === 'staging';
  void reply.headers({
    ...shown.headers,
    'cache-control': shown.shared ? 'public, max-age=0, must-revalidate' : 'private, no-store',
    ...(noindex ? { 'x-robots-tag': 'noindex' } : {}),
  });
  if (shown.shared || shown.polled === true) {
    const tag = tagOf(payload);
    void reply.header('etag', `W/"${tag}"`);
    if (!noneMatch(request.headers['if-none-match'], `"${tag}"`)) return reply.code(304).send();
  }
  return reply
    .header('content-type', shown.contentType)
    .send(compressedFor(request, reply, shown) ?? sentOf(payload));
}

/**
 * Redirects to the canonical URL of a resource. The query of the request is kept unless the URL has its own.
 * The redirect is not cached: a title may be changed back.
 */
export function sendElsewhere(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): FastifyReply {
  const at = request.url.indexOf('?');
  const query = at < 0 || /[?#]/.test(path) ? '' : request.url.slice(at);
  return reply
    .code(301)
    .headers({ location: `${path}${query}`, 'cache-control': 'private, no-store' })
    .send();
}
