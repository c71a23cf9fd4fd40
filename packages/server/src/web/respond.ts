// Sends representations: entity tags, cache control, and robots directives.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#config';
import {
  cacheControlOf,
  noneMatch,
  reserveAnswer,
  sendCoded,
  sendUnchanged,
  sentOf,
  sha1Of,
  textPayload,
} from '#http';
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
}

/** Says that the address shows something else for another `Accept`, and to readers who are signed in. */
export function varyByCookie(shown: Representation): Representation {
  return { ...shown, headers: { ...shown.headers, vary: 'Accept, Cookie' } };
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
    'cache-control': cacheControlOf(reply, shown.shared),
    ...(noindex ? { 'x-robots-tag': 'noindex' } : {}),
  });
  const isTagged = shown.shared || shown.polled === true;
  if (!isTagged) return reply.header('content-type', shown.contentType).send(sentOf(payload));
  const name = sha1Of(payload);
  // RFC 9110 section 8.8: the tag is computed before compression, so it is weak.
  const tag = name.slice(0, 16);
  void reply.header('etag', `W/"${tag}"`);
  if (!noneMatch(request.headers['if-none-match'], `"${tag}"`))
    return sendUnchanged(reply, shown.contentType, shown.shared ? payload : undefined);
  void reply.header('content-type', shown.contentType);
  return shown.shared ? sendCoded(request, reply, payload, name) : reply.send(sentOf(payload));
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
