// Builds the HTTP request of a call: assigns each member of the flat input to its place in the request.
import { requireObject } from './check-input.ts';
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

/** What a caller passes to a method, with the key of the call. */
interface CallInput {
  readonly input: Input;
  readonly options: CallOptions;
  readonly idempotencyKey: string | undefined;
}

function membersOf(schema: unknown): ReadonlySet<string> {
  return new Set(
    Object.keys((schema as { properties?: object } | null | undefined)?.properties ?? {}),
  );
}

/** A value of dots alone would lead to another path, and so would an empty one; half a character has no bytes. */
function pathOf(operation: AnyOperation, input: Input): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    if (typeof value === 'string' && !/^\.{0,2}$|\p{Surrogate}/u.test(value))
      return encodeURIComponent(value);
    throw inputError(`${operation.name} requires ${name}: a non-empty string.`);
  });
}

function acceptOf({ contentTypes }: AnyOperation): string {
  return [...(contentTypes ?? ['application/json']), 'application/problem+json'].join(', ');
}

function headersOf(operation: AnyOperation, settings: ClientSettings, call: CallInput): Headers {
  const { options, idempotencyKey } = call;
  const ifMatch = operation.precondition ? call.input['if_match'] : undefined;
  const fields = {
    accept: acceptOf(operation),
    ...(settings.token === undefined ? {} : { authorization: `Bearer ${settings.token}` }),
    ...(settings.userAgent === undefined ? {} : { 'user-agent': settings.userAgent }),
    ...(operation.body ? { 'content-type': 'application/json' } : {}),
    ...(operation.upload === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(ifMatch === undefined ? {} : { 'if-match': quoteTag(ifMatch) }),
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

/** Left out, the request would change also what the caller has not read. */
function quoteTag(tag: unknown): string {
  if (typeof tag !== 'string')
    throw inputError('if_match must be a string: a revision_id, or the etag of a reply.');
  return /^(?:W\/)?"|^\*$/.test(tag) ? tag : `"${tag}"`;
}

/** Refuses a member that the operation does not take: most are misspelt, so it names those that there are. */
function refuseMember(operation: AnyOperation, name: string): never {
  const { params, precondition, querySchema, body, upload } = operation;
  const known = [
    ...params,
    ...membersOf(querySchema),
    ...membersOf(body),
    ...(precondition === true ? ['if_match'] : []),
    ...(upload === undefined ? [] : ['bytes']),
  ];
  const list = known.length === 0 ? 'It takes none.' : `It takes ${known.join(', ')}.`;
  throw inputError(`${operation.name} has no member ${name}. ${list}`);
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
  if (!operation.body) return undefined;
  try {
    return JSON.stringify(members);
  } catch {
    throw inputError(
      `${operation.name}: the input cannot be written as JSON. Send no bigint, and no object that contains itself.`,
    );
  }
}

/** Returns the members of the input. The letters of a text are its entries, so a text would name a member 0. */
export function entriesOf({ name }: AnyOperation, input: Input): readonly [string, unknown][] {
  const wanted = `${name} takes one object: its members are named, such as { id }.`;
  return Object.entries(requireObject(input, wanted));
}

/**
 * Sorts the flat input into path, query, header and body.
 * @throws TypeError for a missing path parameter, a member that the operation does not take, and a value that
 * no header can contain
 */
export function prepare(
  operation: AnyOperation,
  settings: ClientSettings,
  call: CallInput,
): PreparedRequest {
  const inQuery = membersOf(operation.querySchema);
  const inBody = membersOf(operation.body);
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of entriesOf(operation, call.input)) {
    if (value === undefined || operation.params.includes(name)) continue;
    if (inQuery.has(name)) query.set(name, wordOf(name, value));
    else if (inBody.has(name)) body[name] = value;
    else if (!isApart(operation, name)) refuseMember(operation, name);
  }
  const search = query.toString();
  return {
    method: operation.method,
    url: `${settings.baseUrl}${pathOf(operation, call.input)}${search === '' ? '' : `?${search}`}`,
    headers: headersOf(operation, settings, call),
    body: bodyOf(operation, call.input, body),
  };
}
