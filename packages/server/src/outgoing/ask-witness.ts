// Sends one request to a witness: bounded in time and bytes, without redirects, and to public addresses only.
import { lookup as resolve } from 'node:dns';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface WitnessAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export interface WitnessRequest {
  readonly url: string;
  readonly body: string;
  readonly timeoutMs: number;
  /** Whether loopback, private and link-local addresses may be contacted. */
  readonly allowsPrivate: boolean;
}

/** More than any answer of a witness has. */
const answerBytesMax = 64 * 1024;

/** Whether an address is one of the public Internet. An IPv4 address in IPv6 form is judged as IPv4. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

function refusal(host: string): Error {
  return new Error(
    `${host} is a loopback or private address: set LOG_WITNESS_PRIVATE=allow if the witness is there.`,
  );
}

/** Resolves a name, and refuses it if any of its addresses is not public: the connection could use that one. */
const publicOnly: LookupFunction = (host, options, done) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, []);
    if (!addresses.every(({ address }) => isPublicAddress(address))) return done(refusal(host), []);
    const [first] = addresses;
    if (options.all === true || first === undefined) return done(null, addresses);
    return done(null, first.address, first.family);
  });
};

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > answerBytesMax) throw new Error('The answer of the witness is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function optionsOf(
  url: URL,
  { body, allowsPrivate }: WitnessRequest,
  signal: AbortSignal,
): RequestOptions {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // An address is not looked up.
  if (!allowsPrivate && ipaddr.isValid(host) && !isPublicAddress(host)) throw refusal(host);
  return {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    },
    ...(allowsPrivate ? {} : { lookup: publicOnly }),
  };
}

/**
 * Posts a text and returns the answer, whatever its status; a redirect is an answer too.
 * @throws Error if there is none in time
 */
export async function askWitness(request: WitnessRequest): Promise<WitnessAnswer> {
  const url = new URL(request.url);
  const signal = AbortSignal.timeout(request.timeoutMs);
  const options = optionsOf(url, request, signal);
  // Not imported: only servers with witnesses need a client.
  const client = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const sent: ClientRequest = client.request(url, options, done);
    sent.on('error', fail);
    sent.end(request.body);
  });
  const text = await textOf(answer);
  return {
    status: answer.statusCode ?? 0,
    contentType: answer.headers['content-type'] ?? '',
    text,
  };
}
