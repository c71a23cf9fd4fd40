// Writes answers and problems: status, headers, caching rules (RFC 9110, 9111) and the body.
import { STATUS_CODES } from 'node:http';
import { problems } from '@colophon/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { maskTokens } from '#lib/token-text';
import { noneMatch } from './input/headers.ts';
import { sentOf, sha1Of } from './payload.ts';
import type { Payload } from './payload.ts';
import type { Performed } from './call.ts';
import { problemDocument } from './problem.ts';
import type { Problem } from './problem.ts';

/** Excludes answers from search engines. */
export const noindex = { 'x-robots-tag': 'noindex' } as const;

/** Returns an entity tag with a hash: after the tag of the representation, or alone. */
function hashedTag(payload: Payload, name: string | undefined): string {
  const short = sha1Of(payload).slice(0, 12);
  return name === undefined ? `"${short}"` : `"${name}.${short}"`;
}

function etagOf({ answer, etag, payload }: Performed): string | undefined {
  const named = etag ?? answer?.etag;
  if (named !== undefined && !answer?.etagOfRepresentation) return `"${named}"`;
  const hashed = named !== undefined || answer?.shared;
  return hashed && payload !== undefined ? hashedTag(payload, named) : undefined;
}

function headersOf(
  performed: Performed,
  place: { readonly baseUrl: string; readonly anonymous: boolean; readonly vary: string },
  etag: string | undefined,
): Record<string, string> {
  const shared = place.anonymous && performed.answer?.shared === true;
  const headers: Record<string, string> = shared
    ? { 'cache-control': 'public, max-age=0, must-revalidate', vary: place.vary }
    : { 'cache-control': 'private, no-store' };
  if (etag !== undefined) headers['etag'] = etag;
  if (performed.location !== undefined)
    headers['location'] = `${place.baseUrl}${performed.location}`;
  if (performed.replayed) headers['idempotency-replayed'] = 'true';
  return headers;
}

/** Sends the answer of an operation; 304 if If-None-Match lists the tag. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  performed: Performed,
  place: {
    readonly baseUrl: string;
    readonly anonymous: boolean;
    readonly vary: string;
  },
): FastifyReply {
  const etag = etagOf(performed);
  void reply.headers(headersOf(performed, place, etag));
  if (
    (request.method === 'GET' || request.method === 'HEAD') &&
    etag !== undefined &&
    !noneMatch(request.headers['if-none-match'], etag)
  ) {
    return reply.code(304).send();
  }
  void reply.code(performed.status);
  if (performed.payload === undefined) return reply.send();
  const contentType = performed.answer?.otherwise?.contentType ?? 'application/json';
  return reply.header('content-type', contentType).send(sentOf(performed.payload));
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

/** Returns a problem with all its headers, for errors below Fastify. The connection is closed after it. */
export function bareProblem(error: Problem, place: BelowFramework): Bare {
  const body = JSON.stringify(problemDocument(error, place));
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': place.requestId,
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
