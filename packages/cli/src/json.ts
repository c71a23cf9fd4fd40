// JSON in and out. Output is safe to print in a terminal.

/** Characters that JSON allows in a string but that a terminal may act on or hide. */
const risky = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const tags = /[\u{e0000}-\u{e007f}]/gu;

const escapeUnits = (text: string) =>
  Array.from(
    { length: text.length },
    (_, index) => String.raw`\u` + text.charCodeAt(index).toString(16).padStart(4, '0'),
  ).join('');

/** Returns a value as JSON that contains no control characters, as escapes in its strings. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null';
  return text.replaceAll(risky, escapeUnits).replaceAll(tags, escapeUnits);
}

/** Parses JSON, after a byte order mark if there is one; undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
