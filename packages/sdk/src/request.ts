// Builds the HTTP request of a call: assigns each member of the flat input to its place.
import { inputError } from './input-error.ts';
import type { AnyOperation } from './contract.ts';
import type { CallOptions } from './call-options.ts';

export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | Blob | Uint8Array<ArrayBuffer> | undefined;
}

export interface ClientSettings {
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly userAgent: string | undefined;
}

type Input = Readonly<Record<string, unknown>>;

interface Asked {
  readonly input: Input;
  readonly options: CallOptions;
  readonly idempotencyKey: string | undefined;
}

function membersOf(schema: unknown): ReadonlySet<string> {
  return new Set(
    Object.keys((schema as { properties?: object } | null | undefined)?.properties ?? {}),
  );
}

/** A value of dots alone would lead to another path, and so would an empty one. */
function pathOf(operation: AnyOperation, input: Input): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
    throw inputError(`${operation.name} requires ${name}: a non-empty string.`);
  });
}

function acceptOf({ contentTypes }: AnyOperation): string {
  return [...(contentTypes ?? ['application/json']), 'application/problem+json'].join(', ');
}

function headersOf(operation: AnyOperation, place: ClientSettings, asked: Asked): Headers {
  const { options, idempotencyKey } = asked;
  const ifMatch = operation.precondition ? asked.input['if_match'] : undefined;
  const fields = {
    accept: acceptOf(operation),
    ...(place.token === undefined ? {} : { authorization: `Bearer ${place.token}` }),
    ...(place.userAgent === undefined ? {} : { 'user-agent': place.userAgent }),
    ...(operation.body ? { 'content-type': 'application/json' } : {}),
    ...(operation.upload === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(typeof ifMatch === 'string' ? { 'if-match': quoteTag(ifMatch) } : {}),
    ...(options.requestId === undefined ? {} : { 'x-request-id': options.requestId }),
  };
  try {
    return new Headers(fields);
  } catch {
    // The message of the platform would contain the value, which can be the token.
    throw inputError(`${operation.name}: a header field contains a character that cannot be sent.`);
  }
}

function wordOf(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw inputError(`${name} is a query parameter: send a string, a number or a boolean.`);
}

function quoteTag(tag: string): string {
  return /^(?:W\/)?"|^\*$/.test(tag) ? tag : `"${tag}"`;
}

/** Whether a member is neither in the query nor in a JSON body. */
function isApart(operation: AnyOperation, name: string): boolean {
  if (name === 'if_match') return operation.precondition === true;
  return name === 'bytes' && operation.upload !== undefined;
}

/** Rejects a stream: it would be sent chunked, which the service refuses, so the bytes must be complete. */
function bytesOf(operation: AnyOperation, input: Input): Blob | Uint8Array<ArrayBuffer> {
  const { bytes } = input;
  if (bytes instanceof Blob) return bytes;
  if (bytes instanceof Uint8Array) return bytes as Uint8Array<ArrayBuffer>;
  throw inputError(`${operation.name} requires bytes: a Uint8Array or a Blob.`);
}

function bodyOf(operation: AnyOperation, input: Input, members: Input): PreparedRequest['body'] {
  if (operation.upload !== undefined) return bytesOf(operation, input);
  return operation.body ? JSON.stringify(members) : undefined;
}

/** The letters of a text are its entries, so a text in place of an object would name a member 0. */
function entriesOf({ name }: AnyOperation, input: Input) {
  if (typeof input === 'object') return Object.entries(input);
  throw inputError(`${name} takes one object: its members are named, such as { id }.`);
}

/**
 * Sorts the flat input into path, query, header and body.
 * @throws TypeError for a missing path parameter, a member that the operation does not take, and a value that
 * no header can contain
 */
export function prepare(
  operation: AnyOperation,
  place: ClientSettings,
  asked: Asked,
): PreparedRequest {
  const inQuery = membersOf(operation.querySchema);
  const inBody = membersOf(operation.body);
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of entriesOf(operation, asked.input)) {
    if (value === undefined || operation.params.includes(name)) continue;
    if (inQuery.has(name)) query.set(name, wordOf(name, value));
    else if (inBody.has(name)) body[name] = value;
    else if (!isApart(operation, name)) {
      throw inputError(`${operation.name} has no member ${name}.`);
    }
  }
  const search = query.toString();
  return {
    method: operation.method,
    url: `${place.baseUrl}${pathOf(operation, asked.input)}${search === '' ? '' : `?${search}`}`,
    headers: headersOf(operation, place, asked),
    body: bodyOf(operation, asked.input, body),
  };
}
