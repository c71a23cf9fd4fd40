// Parses query parameters: text typed by the schema of the operation, each given once.
import type { Fault } from '../problem.ts';
import { problem } from '../problem.ts';
import { faultsMax, pointerPart } from './check.ts';
import type { Check } from './check.ts';
import { formFieldsMax, hasTooManyFields } from './form.ts';

interface Member {
  readonly type?: string;
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** Operations and pages have fewer parameters. Each costs work beside its bytes. */
function requireFew(text: string): void {
  const isShort = text.length <= formFieldsMax;
  if (isShort || !hasTooManyFields(Buffer.from(text, 'latin1'))) return;
  const detail = `has more than ${formFieldsMax} parameters: send only those that are needed`;
  const errors = [{ pointer: '', code: 'too-many', detail }];
  throw problem('invalid-request', `The query string ${detail}.`, { errors });
}

/** Parses a query string into typed values. @throws invalid-request: names every fault */
export function readQuery(schema: object, check: Check, text: string): Record<string, unknown> {
  requireFew(text);
  const members = (schema as { properties?: Record<string, Member> }).properties ?? {};
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const twice = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in query) twice.add(name);
    query[name] = readers[members[name]?.type ?? '']?.(value) ?? value;
  }
  const all = [...duplicates(twice), ...check(query), ...unreadable(text)];
  const faults = all.slice(0, faultsMax);
  const [first] = faults;
  if (first === undefined) return query;
  const what = first.pointer === '' ? 'string' : `parameter ${first.pointer.slice(1)}`;
  throw problem('invalid-request', `The query ${what} ${first.detail}.`, { errors: faults });
}

function duplicates(names: Iterable<string>): readonly Fault[] {
  return [...names].slice(0, faultsMax).map((name) => ({
    pointer: `/${pointerPart(name)}`,
    code: 'duplicate',
    detail: 'occurs twice: send it once',
  }));
}

/**
 * Refuses the query of a page if no operation could take it. Pages ignore parameters that they do not know.
 * @throws invalid-request
 */
export function requireReadable(text: string): void {
  requireFew(text);
  const errors = unreadable(text);
  const [first] = errors;
  if (first !== undefined)
    throw problem('invalid-request', `The query string ${first.detail}.`, { errors });
}

/** Reports percent-encoding that is not UTF-8, and NUL, which no column can store. */
function unreadable(text: string): readonly Fault[] {
  if (!text.includes('%')) return [];
  try {
    if (!decodeURIComponent(text.replaceAll('+', ' ')).includes('\0')) return [];
  } catch {
    return [
      { pointer: '', code: 'encoding', detail: 'is not percent-encoded UTF-8: encode it again' },
    ];
  }
  return [{ pointer: '', code: 'nul', detail: 'must not contain NUL: leave it out' }];
}
