// JSON from files: read with a sentence about what is wrong, and checked member by member afterwards.
import { damage } from './source.ts';

/** @throws a refusal for anything that is not JSON */
export function parseJson(text: string, what: string): unknown {
  try {
    // oxlint-disable-next-line no-restricted-properties -- every member is checked by its reader
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    throw damage(`${what} is not JSON.`, error);
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
