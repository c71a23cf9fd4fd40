// Holds the answers to everybody against the contract and the OpenAPI document: what browsers, the client, the
// command line and the tool host are sent, as well as what tests ask for themselves.
import assert from 'node:assert/strict';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { checkResponse } from './check-response.ts';

/** Of each kind of answer, so that tests that send very many take no longer. */
const checksMax = 20;
const bytesMax = 262_144;

type Written = Parameters<ServerResponse['write']>;

/** Collects what is written to a response. Returns what reads it; undefined if it is too long. */
function collect(response: ServerResponse): () => Buffer | undefined {
  const chunks: Buffer[] = [];
  let size = 0;
  const add = (chunk: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    size += chunk.length;
    if (size <= bytesMax) chunks.push(Buffer.from(chunk as string));
  };
  const write = response.write.bind(response) as (...given: Written) => boolean;
  const end = response.end.bind(response) as (...given: Written) => ServerResponse;
  response.write = ((...given: Written) => {
    add(given[0]);
    return write(...given);
  }) as ServerResponse['write'];
  response.end = ((...given: Written) => {
    add(given[0]);
    return end(...given);
  }) as ServerResponse['end'];
  return () => (size <= bytesMax ? Buffer.concat(chunks) : undefined);
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  zstd: (bytes) => zstdDecompressSync(bytes),
};

function textOf(bytes: Buffer, headers: Headers): string {
  const encoding = headers.get('content-encoding');
  return (encoding === null ? bytes : (decoders[encoding]?.(bytes) ?? bytes)).toString();
}

function headersOf(response: ServerResponse): Headers {
  const pairs = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
  return new Headers(pairs as [string, string][]);
}

export interface Watch {
  /** @throws AssertionError that names the first answers that were wrong */
  readonly assertRight: () => void;
}

/** Returns the JSON of an answer to check; undefined where there is none. */
function jsonOf(headers: Headers, bytes: Buffer | undefined): string | undefined {
  const isJson = /^application\/(?:problem\+)?json/.test(headers.get('content-type') ?? '');
  return isJson && bytes !== undefined && bytes.length > 0 ? textOf(bytes, headers) : undefined;
}

/** What answers have in common: method, path without ids and query, status. */
function kindOf(method: string, path: string, status: number): string {
  return `${method} ${path.replace(/\?.*/s, '').replaceAll(/[0-9A-Z]{26}/g, '{id}')} ${status}`;
}

/** Returns a function that says whether to check one more answer of a kind. */
function allowance(): (kind: string) => boolean {
  const counts = new Map<string, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= checksMax;
  };
}

/** Watches a server from now on. */
export function watchAnswers(server: Server): Watch {
  const faults: string[] = [];
  const isDue = allowance();
  const look = (request: IncomingMessage, response: ServerResponse, bytes: Buffer | undefined) => {
    const { method = 'GET', url = '' } = request;
    const { statusCode: status } = response;
    // The pages have the same operations for sessions.
    const path = url.replace(/^\/-(?=\/v1\/)/, '');
    if (method === 'HEAD' || !isDue(kindOf(method, path, status))) return;
    const headers = headersOf(response);
    try {
      const text = jsonOf(headers, bytes);
      if (text !== undefined)
        checkResponse(method, path, { status, headers, body: JSON.parse(text) });
    } catch (error) {
      faults.push(String(error));
    }
  };
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!/^\/(?:-\/)?v1\//.test(request.url ?? '')) return;
    const read = collect(response);
    response.on('finish', () => look(request, response, read()));
  });
  return {
    assertRight: () => assert.deepEqual(faults.slice(0, 3), []),
  };
}
