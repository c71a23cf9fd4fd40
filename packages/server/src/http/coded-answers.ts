// Public answers as compressed bytes, made once for each content and kept in memory.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sentOf } from './payload.ts';
import type { Payload } from './payload.ts';

/** Media types that are compressed. */
export const compressible =
  /^(?:application\/(?:(?:problem\+|feed\+)?json|(?:atom\+|rss\+)?xml)|text\/(?:css|html|markdown|xml))/;

/** In bytes: what is shorter is sent as it is. */
export const compressedFrom = 1024;

/** The first is preferred. */
export const codings = ['br', 'gzip'] as const;
type Coding = (typeof codings)[number];

/** Higher qualities take several times as long for a few percent. */
export const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } as const;

const inThread = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** In bytes. What is longer is compressed while it is sent, so that it occupies little memory. */
const longest = 1024 * 1024;

/** Longer values of Accept-Encoding are left to the compression of streams. */
const acceptedMax = 200;

/** Returns the weight that Accept-Encoding gives to a coding (RFC 9110 section 12.5.3); -1 if it names none. */
function weightOf(accepted: readonly string[], name: string): number {
  for (const one of accepted) {
    const [coding = '', ...parameters] = one.split(';');
    if (coding.trim().toLowerCase() !== name) continue;
    const weight = parameters.find((parameter) => parameter.trim().toLowerCase().startsWith('q='));
    return weight === undefined ? 1 : Number(weight.trim().slice('q='.length)) || 0;
  }
  return -1;
}

/** Returns the coding that the client prefers, of two that it likes as much the smaller; undefined for none. */
export function preferredCoding(header: string): Coding | undefined {
  const accepted = header.split(',', acceptedMax);
  const any = weightOf(accepted, '*');
  const weights = codings.map((name) => {
    const own = weightOf(accepted, name);
    return own < 0 ? any : own;
  });
  const most = Math.max(...weights);
  const isWanted = most > 0 && most >= weightOf(accepted, 'identity');
  return isWanted ? codings[weights.indexOf(most)] : undefined;
}

/** Opens the memory, of `bytesMax` bytes: what was not sent for longest is removed first. */
export function openCodedBytes(bytesMax: number) {
  const kept = new Map<string, Buffer>();
  const coming = new Map<string, Promise<Buffer>>();
  let size = 0;

  function keep(key: string, bytes: Buffer): void {
    kept.set(key, bytes);
    size += bytes.length;
    for (const [oldest, { length }] of kept) {
      if (size <= bytesMax) break;
      kept.delete(oldest);
      size -= length;
    }
  }

  async function make(key: string, coding: Coding, text: string | Buffer): Promise<Buffer> {
    try {
      const bytes = await (coding === 'br'
        ? inThread.br(text, brotliOptions)
        : inThread.gzip(text));
      keep(key, bytes);
      return bytes;
    } finally {
      coming.delete(key);
    }
  }

  /** Returns the bytes of a text in a coding. `name` is the hash of the text. */
  return (name: string, coding: Coding, text: string | Buffer): Buffer | Promise<Buffer> => {
    const key = `${coding} ${text.length} ${name}`;
    const known = kept.get(key);
    if (known === undefined) {
      const made = coming.get(key) ?? make(key, coding, text);
      coming.set(key, made);
      return made;
    }
    kept.delete(key);
    kept.set(key, known);
    return known;
  };
}

/** The property of the server that `sendCoded` uses. */
interface CodedServer {
  readonly codedBytes?: ReturnType<typeof openCodedBytes>;
}

function withEncoding(vary: unknown): string {
  return typeof vary === 'string' ? `${vary}, Accept-Encoding` : 'Accept-Encoding';
}

/** Returns the coding of an answer with so many units; undefined if it is sent as it is. */
function codingFor({ headers, method }: FastifyRequest, units: number): Coding | undefined {
  const accepted = headers['accept-encoding'];
  if (typeof accepted !== 'string' || method === 'HEAD' || units > longest) return undefined;
  return preferredCoding(accepted);
}

/** Whether an answer is sent in several forms, and so varies by Accept-Encoding. */
function hasCodings(type: string, sent: string | Buffer): boolean {
  return compressible.test(type) && sent.length >= compressedFrom;
}

/**
 * Answers 304. A payload that `sendCoded` would send gives it the Vary of that answer: a cache may store the headers
 * of a 304 (RFC 9110 section 15.4.5).
 */
export function sendUnchanged(
  reply: FastifyReply,
  type: string,
  payload: Payload | undefined,
): FastifyReply {
  if (payload !== undefined && hasCodings(type, sentOf(payload)))
    void reply.header('vary', withEncoding(reply.getHeader('vary')));
  return reply.code(304).send();
}

/**
 * Sends a public answer whose headers are set, compressed if the client accepts it. `name` is the hash of the
 * payload. Vary is set on every form of it: a cache could otherwise send the one that it stored to everybody.
 */
export async function sendCoded(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Payload,
  name: string,
): Promise<FastifyReply> {
  const sent = sentOf(payload);
  const type = String(reply.getHeader('content-type'));
  if (!hasCodings(type, sent)) return reply.send(sent);
  void reply.header('vary', withEncoding(reply.getHeader('vary')));
  const coding = codingFor(request, sent.length);
  const { codedBytes } = request.server as CodedServer;
  if (coding === undefined || codedBytes === undefined) return reply.send(sent);
  const bytes = codedBytes(name, coding, sent);
  return reply
    .header('content-encoding', coding)
    .send(bytes instanceof Promise ? await bytes : bytes);
}
