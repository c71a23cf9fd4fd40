// Writes answers and problems: status, headers, caching rules (RFC 9110, 9111) and the body.
import { problems } from '@colophon/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { maskTokens } from '@colophon/text/lib/token-text';
import { corsHeaders } from './cors.ts';
import { noneMatch } from './input/headers.ts';
import { STATUS_CODES } from './node-http.ts';
import { sentOf, sha1Of } from './payload.ts';
import type { Payload } from './payload.ts';
import type { Performed } from './call.ts';
import { sendCoded, sendUnchanged } from './coded-answers.ts';
import { cacheControlOf } from './shared-caches.ts';
import { problemDocument } from './problem.ts';
import type { Problem } from './problem.ts';

/** Excludes answers from search engines. */
export const noindex = { 'x-robots-tag': 'noindex' } as const;

interface Tag {
  readonly etag: string | undefined;
  /** The hash of the payload, if it was needed. */
  readonly sha1?: string;
}

/** Returns a hash of the representation as the entity tag, after the name of what it represents if it has one. */
function hashedTag(payload: Payload, name: string | undefined): Tag {
  const sha1 = sha1Of(payload);
  const short = sha1.slice(0, 12);
  return { etag: name === undefined ? `"${short}"` : `"${name}.${short}"`, sha1 };
}

function tagOf({ answer, etag, payload }: Performed): Tag {
  const named = etag ?? answer?.etag;
  if (named !== undefined && !answer?.etagOfRepresentation) return { etag: `"${named}"` };
  const hashed = named !== undefined || answer?.shared;
  return hashed && payload !== undefined ? hashedTag(payload, named) : { etag: undefined };
}

/** What an answer depends on besides what was performed. */
interface Place {
  readonly baseUrl: string;
  /** Whether nobody signs in with such a request. */
  readonly anonymous: boolean;
  readonly vary: string;
}

function headersOf(
  performed: Performed,
  place: Place,
  {
    etag,
    shared,
    reply,
  }: { readonly etag: string | undefined; readonly shared: boolean; readonly reply: FastifyReply },
): Record<string, string> {
  const headers: Record<string, string> = { 'cache-control': cacheControlOf(reply, shared) };
  if (shared) headers['vary'] = place.vary;
  if (etag !== undefined) headers['etag'] = etag;
  if (performed.location !== undefined)
    headers['location'] = `${place.baseUrl}${performed.location}`;
  if (performed.replayed) headers['idempotency-replayed'] = 'true';
  // Only JSON has members that label participants' texts.
  if (performed.answer?.otherwise !== undefined) headers['x-content-trust'] = 'untrusted';
  return headers;
}

/** Whether the client has this representation already (RFC 9110 section 13.1.2). */
function isKnown({ method, headers }: FastifyRequest, etag: string | undefined): boolean {
  if (etag === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return !noneMatch(headers['if-none-match'], etag);
}

/** With the charset that Fastify adds to a string only: an answer may be sent as bytes. */
const typeOf = (answer: Performed['answer']) =>
  answer?.otherwise?.contentType ?? 'application/json; charset=utf-8';

/** Sends the answer of an operation; 304 if If-None-Match lists the tag. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  performed: Performed,
  place: Place,
): FastifyReply | Promise<FastifyReply> {
  const { answer, payload } = performed;
  const { etag, sha1 } = tagOf(performed);
  const shared = place.anonymous && answer?.shared === true;
  void reply.headers(headersOf(performed, place, { etag, shared, reply }));
  if (isKnown(request, etag))
    return sendUnchanged(reply, typeOf(answer), shared ? payload : undefined);
  void reply.code(performed.status);
  if (payload === undefined) return reply.send();
  void reply.header('content-type', typeOf(answer));
  if (!shared || sha1 === undefined) return reply.send(sentOf(payload));
  return sendCoded(request, reply, payload, sha1);
}

function instanceOf(url: string): string {
  return (url.split('?')[0] ?? '').slice(0, 500);
}

/** A problem as a page for people. */
export interface ShownProblem {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Renders a problem as a page; undefined if the request prefers the document. */
export type ProblemPage = (request: FastifyRequest, error: Problem) => ShownProblem | undefined;

/** Sends a problem document. Tokens in it are masked: it may quote an address or a name that contains one. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: Problem,
  config: Pick<Config, 'errorsBaseUrl'> & { readonly problemPage?: ProblemPage | undefined },
): FastifyReply {
  void reply
    .code(problems[error.problem].status)
    .headers(error.headers)
    .header('cache-control', 'no-store');
  const page = config.problemPage?.(request, error);
  if (page !== undefined) return reply.headers(page.headers).send(page.text);
  const document = problemDocument(error, {
    errorsBaseUrl: config.errorsBaseUrl,
    requestId: request.id,
    instance: instanceOf(request.url),
  });
  return reply
    .header('content-type', 'application/problem+json')
    .send(maskTokens(JSON.stringify(document)));
}

interface Bare {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The context of a problem below Fastify. */
export interface BelowFramework extends Pick<Config, 'errorsBaseUrl' | 'deployment'> {
  readonly requestId: string;
}

/**
 * Returns a problem with all its headers, for errors below Fastify. The connection is closed after it. The path is
 * often unknown, so programs of any origin may read it, as they may every answer of the API.
 */
export function bareProblem(error: Problem, place: BelowFramework): Bare {
  const body = JSON.stringify(problemDocument(error, place));
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': place.requestId,
    ...corsHeaders,
    ...error.headers,
    ...(place.deployment === 'staging' ? noindex : {}),
    date: new Date().toUTCString(),
  };
  return { status: problems[error.problem].status, headers, body };
}

/** Returns the same as the bytes of an HTTP message, if there is no response to write to. */
export function rawProblem(error: Problem, place: BelowFramework): string {
  const { status, headers, body } = bareProblem(error, place);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}
