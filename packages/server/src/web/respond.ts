// Sends pages and what stands for them: entity tags, who may keep what, and who is asked to index nothing.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { noneMatch, reserveAnswer, sentOf, sha1Of, textPayload } from '#http';
import type { Payload } from '#http';

export interface Representation {
  readonly contentType: string;
  readonly text: string;
  /** Everybody may read it and come upon it: shared caches keep and revalidate it. */
  readonly shared: boolean;
  /** Search engines are asked to leave it out. */
  readonly noindex: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** RFC 9110 section 8.8: the tag is of the text before it is compressed, hence weak. */
function tagOf(payload: Payload): string {
  return sha1Of(payload).slice(0, 16);
}

/** Sends it, or 304 where the reader has it. On staging nothing is to be indexed. */
export async function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Representation,
  { deployment }: Pick<Config, 'deployment'>,
): Promise<FastifyReply> {
  const payload = await textPayload(shown.text, (bytes) => reserveAnswer(request, reply, bytes));
  const noindex = shown.noindex || deployment === 'staging';
  void reply.headers({
    ...shown.headers,
    'cache-control': shown.shared ? 'public, max-age=0, must-revalidate' : 'private, no-store',
    ...(noindex ? { 'x-robots-tag': 'noindex' } : {}),
  });
  if (shown.shared) {
    const tag = tagOf(payload);
    void reply.header('etag', `W/"${tag}"`);
    if (!noneMatch(request.headers['if-none-match'], `"${tag}"`)) return reply.code(304).send();
  }
  return reply.header('content-type', shown.contentType).send(sentOf(payload));
}

/**
 * Leads to the one address that a thing has, with the query as it came unless it has its own. Not to be kept: a title may be
 * changed back.
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
