// Asks a server over HTTP as clients do, and keeps every request that can be repeated with its key.
import { createHash } from 'node:crypto';
import { operationList } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { baseUrl } from './serve.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- answers of any operation
export type Body = Record<string, any>;

export interface Answer {
  readonly status: number;
  /** JSON, or what identifies other bytes. */
  readonly body: Body;
  readonly headers: Headers;
}

export interface Sent {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that an operation remembers by its Idempotency-Key. */
export interface Keyed {
  readonly path: string;
  readonly token: string | null;
  readonly key: string;
  readonly body: unknown;
}

const segment = String.raw`[^/?]+`;
const patternOf = ({ path }: AnyOperation) =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, segment)}$`);
const remembering = operationList
  .filter(({ method, idempotency }) => method === 'POST' && idempotency !== undefined)
  .map(patternOf);

function readBody(type: string, bytes: Buffer): Body {
  if (bytes.length === 0) return {};
  if (type.includes('json')) return JSON.parse(bytes.toString()) as Body;
  return { type, length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function requestOf({ token, body, bytes, headers }: Sent): RequestInit {
  const type = bytes === undefined ? 'application/json' : 'application/octet-stream';
  const written = body === undefined ? undefined : JSON.stringify(body);
  const content = bytes === undefined ? written : new Uint8Array(bytes);
  return {
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(content === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  };
}

export class Caller {
  readonly keyed: Keyed[] = [];
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  async ask(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const response = await fetch(this.#address + path, { method, ...requestOf(sent) });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { status, headers } = response;
    return { status, headers, body: readBody(headers.get('content-type') ?? '', bytes) };
  }

  /** The same, and it is done. @throws Error with the refusal */
  async done(method: string, path: string, sent: Sent = {}): Promise<Body> {
    const { status, body } = await this.ask(method, path, sent);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Sends a POST with a fresh key, which is kept if the operation remembers it. */
  async post(path: string, token: string | null, body: unknown = {}): Promise<Body> {
    const key = crypto.randomUUID();
    const made = await this.done('POST', path, {
      token,
      body,
      headers: { 'idempotency-key': key },
    });
    if (remembering.some((form) => form.test(path))) this.keyed.push({ path, token, key, body });
    return made;
  }

  /** Sends a request that was sent before once more. */
  async replay({ path, token, key, body }: Keyed): Promise<Answer> {
    return this.ask('POST', path, { token, body, headers: { 'idempotency-key': key } });
  }

  /** Sends a request as a page of the site does, with the cookie of its session. */
  async fromPage(method: string, path: string, cookie: string | null, body?: unknown) {
    const own = { origin: baseUrl, 'sec-fetch-site': 'same-origin' };
    const headers = cookie === null ? own : { ...own, cookie };
    const answer = await this.ask(method, path, { headers, ...(body ? { body } : {}) });
    const set = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return { body: answer.body, cookie: set };
  }
}
