// What programs without types get wrong: said before anything is sent, with what to pass instead.
import type { CallOptions, RetryOptions } from './call-options.ts';
import { inputError } from './input-error.ts';

type Members = Readonly<Record<string, unknown>>;

/** Throws an error that says what is wanted, unless the value is an object with names. */
export function requireObject(value: unknown, wanted: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw inputError(wanted);
}

/** Throws unless the value is a client: `where` names the function. */
export function requireClient(client: unknown, where: string): void {
  const { withResponse } = (client ?? {}) as Members;
  if (typeof withResponse !== 'object')
    throw inputError(`${where} requires a client first: the one that createClient returned.`);
}

/** Throws unless the value signs. */
export function requireSigner(signer: unknown, where: string): void {
  const { publicKey, sign } = (signer ?? {}) as Members;
  if (typeof publicKey !== 'string' || typeof sign !== 'function')
    throw inputError(`${where} requires a signer: the one that signerOf(secretKey) resolves to.`);
}

/** Throws unless the member is a text that is not empty; `where` names the function. */
export function requireText(members: Members, name: string, where: string): void {
  const value = members[name];
  if (typeof value !== 'string' || value === '')
    throw inputError(`${where} requires ${name}: a non-empty string.`);
}

function checkSignal(signal: unknown): void {
  if (signal === undefined) return;
  const { addEventListener, throwIfAborted } = (signal ?? {}) as Members;
  if (typeof addEventListener !== 'function' || typeof throwIfAborted !== 'function')
    throw inputError('signal must be an AbortSignal, such as AbortSignal.timeout(5000).');
}

/** Checks the second argument of a method. */
export function checkCallOptions(options: unknown, where: string): asserts options is CallOptions {
  const { signal } = requireObject(
    options,
    `${where} takes its options as one object, such as { signal }.`,
  );
  checkSignal(signal);
}

/** A text would compare as not a number, and so never end the retries. */
function checkRetry(retry: unknown): asserts retry is RetryOptions | undefined {
  if (retry === undefined) return;
  const members = requireObject(retry, 'retry must be an object, such as { attempts: 4 }.');
  for (const [name, value] of Object.entries(members))
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw inputError(`retry.${name} must be a number of at least 0, such as { attempts: 4 }.`);
}

/** Checks the options of a client, but its address and its token. */
export function checkClientOptions(options: unknown): void {
  const { baseUrl, fetch, retry, signal } = requireObject(
    options,
    "createClient requires one object with baseUrl, such as createClient({ baseUrl: 'https://colophon.example', token }).",
  );
  if (baseUrl === undefined || baseUrl === null || baseUrl === '')
    throw inputError(
      "createClient requires baseUrl, the address of the service, such as 'https://colophon.example'.",
    );
  if (fetch !== undefined && typeof fetch !== 'function')
    throw inputError('fetch must be a function like the global one, or left out.');
  checkRetry(retry);
  checkSignal(signal);
}

/** Checks the options of events(). */
export function checkEventsOptions(options: unknown): void {
  const { types, wait } = requireObject(
    options,
    'events takes its options as one object, such as { since }.',
  );
  checkCallOptions(options, 'events');
  if (types !== undefined && !Array.isArray(types))
    throw inputError("types must be an array, such as ['comment.created'].");
  if (wait !== undefined && !(typeof wait === 'number' && wait >= 0))
    throw inputError('wait must be a number of seconds from 0 to 25.');
}
