// Checks a value against a schema of the contract and reports every fault, with what to send instead.
import { limits } from '@colophon/contract';
import type { linkSchemes } from '@colophon/contract';
import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { isLanguageTag } from '@colophon/text/lib/language-tag';
import { isLonger, tooLong } from '#lib/text-length';
import { isTimestamp } from '#lib/timestamp';
import { canonicalLink } from '#lib/uri';
import type { Fault } from '../problem.ts';

export type Check = (value: unknown) => readonly Fault[];

const ajv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  strict: true,
  strictTypes: false,
  verbose: true,
});
addFormats.default(ajv, { formats: ['email'], mode: 'full' });
ajv.addFormat('timestamp', isTimestamp);
ajv.addFormat('link-uri', (text: string) => canonicalLink(text) !== undefined);
ajv.addFormat('language-tag', isLanguageTag);
// Why a member is not known here, by its name.
ajv.addKeyword({ keyword: 'elsewhere', schemaType: 'object' });
ajv.addKeyword({
  keyword: 'maxBytes',
  schemaType: 'number',
  errors: false,
  validate: (limit: number, value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.length * 3 <= limit || Buffer.byteLength(text) <= limit;
  },
});

for (const [keyword, fits] of [
  ['minLength', (text: string, min: number) => isLonger(text, min - 1)],
  ['maxLength', (text: string, max: number) => !isLonger(text, max)],
] as const) {
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: 'string',
    // Like the built-in keywords: of several faults of a text, the first is reported.
    before: 'pattern',
    schemaType: 'number',
    errors: false,
    validate: (limit: number, text: string) => fits(text, limit),
  });
}

/** What an address looks like in each scheme: one with a listed scheme is refused if it has another form. */
const linkForms: Readonly<Record<(typeof linkSchemes)[number], string>> = {
  http: 'http://example.org/a',
  https: 'https://example.org/a',
  doi: 'doi:10.1000/182',
  urn: 'urn:isbn:0451450523',
  ipfs: 'ipfs://QmHash/a',
  at: 'at://example.org/a',
  nostr: 'nostr:npub1abc',
  gemini: 'gemini://example.org/a',
};

const formats: Readonly<Record<string, string>> = {
  timestamp: 'an RFC 3339 time in UTC with milliseconds, such as 2026-01-31T09:30:00.000Z',
  'link-uri': `an absolute URI of at most ${limits.uri_max} characters in one of these forms: ${Object.values(linkForms).join(', ')}; without a user name or password, with other characters percent-encoded and host names in other scripts as xn--…`,
  email: 'an e-mail address',
  'language-tag': 'a BCP 47 language tag such as en, pt-BR or und',
};

function article(name: string): string {
  if (name === 'boolean') return 'true or false';
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

function typeNames(params: { type: string | readonly string[] }): string {
  const names = typeof params.type === 'string' ? params.type.split(',') : params.type;
  return names.map((name) => (name === 'null' ? 'null' : article(name))).join(' or ');
}

interface Wording {
  readonly code: string;
  readonly detail: string;
  readonly allowed?: readonly unknown[];
}

type Word = (error: ErrorObject) => Wording;

/** Maps a JSON Schema keyword to the wording of its fault. */
const words: Readonly<Record<string, Word>> = {
  required: () => ({ code: 'required', detail: 'is required: send it' }),
  additionalProperties: (error) => {
    const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {});
    const reasons = Object.entries((error.parentSchema?.['elsewhere'] as object | undefined) ?? {});
    const { additionalProperty: name } = error.params as { additionalProperty: string };
    const reason = new Map<string, string>(reasons).get(name);
    const detail = reason ?? 'is not a known name: leave it out';
    return { code: 'unknown', detail, allowed: known };
  },
  type: (error) => ({
    code: 'type',
    detail: `must be ${typeNames(error.params as { type: string })}`,
  }),
  enum: (error) => {
    const allowed = (error.params as { allowedValues: readonly unknown[] }).allowedValues;
    return { code: 'enum', detail: `must be one of ${allowed.map(String).join(', ')}`, allowed };
  },
  minLength: (error) => ({
    code: 'too-short',
    detail:
      limitOf(error) === 1
        ? 'must not be empty'
        : `must have at least ${limitOf(error)} characters`,
  }),
  maxLength: (error) => ({
    code: 'too-long',
    detail: tooLong(String(error.data), limitOf(error)),
  }),
  maxBytes: (error) => ({
    code: 'too-long',
    detail: `must have at most ${String(error.schema)} bytes${typeof error.data === 'string' ? ' of UTF-8' : ' as JSON'}`,
  }),
  // Of lists that clients send, the contract bounds none by more than one.
  minItems: () => ({ code: 'too-few', detail: 'must have at least one item' }),
  maxItems: (error) => ({ code: 'too-many', detail: `must have at most ${limitOf(error)} items` }),
  uniqueItems: () => ({ code: 'duplicate', detail: 'must not contain duplicates' }),
  minimum: (error) => ({ code: 'too-small', detail: `must be at least ${limitOf(error)}` }),
  maximum: (error) => ({ code: 'too-large', detail: `must be at most ${limitOf(error)}` }),
  pattern: (error) => ({
    code: 'format',
    detail: `must be ${String(error.parentSchema?.['description'] ?? `text that matches ${String(error.schema)}`)}`,
  }),
  format: (error) => ({
    code: 'format',
    detail: `must be ${formats[String(error.schema)] ?? String(error.schema)}`,
  }),
};

function limitOf(error: ErrorObject): number {
  return error.schema as number;
}

/** Maximum UTF-16 units of a member's name in a fault: the client may have sent megabytes. */
const nameMax = 200;

/** Returns a name as part of a JSON pointer (RFC 6901), truncated if it is long. */
export function pointerPart(name: string): string {
  const shown = name.length > nameMax ? `${name.slice(0, nameMax).toWellFormed()}…` : name;
  return shown.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Returns the RFC 6901 pointer to the member itself, even if it is missing or unknown. An unknown name may be
 * truncated.
 */
function pointerOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty } = error.params as Record<
    string,
    string | undefined
  >;
  const member = missingProperty ?? additionalProperty;
  return member === undefined ? error.instancePath : `${error.instancePath}/${pointerPart(member)}`;
}

function faultOf(error: ErrorObject): Fault {
  const worded = words[error.keyword]?.(error) ?? {
    code: error.keyword,
    detail: error.message ?? 'is wrong',
  };
  return {
    pointer: pointerOf(error),
    code: worded.code,
    detail: worded.detail,
    ...(worded.allowed === undefined ? {} : { allowed_values: worded.allowed }),
  };
}

/**
 * Maximum number of faults in an answer. More are not useful, and a small body could cause a large answer.
 */
export const faultsMax = 50;

/** Returns one fault for each pointer: a value of the wrong type is not also reported for its format. */
function distinct(errors: readonly ErrorObject[]): readonly Fault[] {
  const seen = new Map<string, Fault>();
  for (const error of errors) {
    const fault = faultOf(error);
    if (!seen.has(fault.pointer)) seen.set(fault.pointer, fault);
    if (seen.size >= faultsMax) break;
  }
  return [...seen.values()];
}

/** Compiles a schema into a check that returns all faults, or none if the value fits. */
export function compileCheck(schema: object): Check {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    const validate = (compiled ??= ajv.compile(schema));
    return validate(value) ? [] : distinct(validate.errors ?? []);
  };
}
