// JSON that is sent as it is stored, without parsing or serialising it.

const stored = Symbol('stored JSON');

/** Parses JSON that was checked before it was stored: metadata, 16 KiB at most. */
export function readStored(text: string): unknown {
  // oxlint-disable-next-line no-restricted-properties
  return JSON.parse(text);
}

/**
 * Returns a stand-in for an object whose JSON text is known. `JSON.stringify` and serialisers parse the text;
 * serialisation in pieces copies it unchanged.
 */
export function storedJson(text: string): Record<string, unknown> {
  return { [stored]: text, toJSON: () => readStored(text) };
}

/** Returns the JSON text of such an object; undefined for every other value. */
export function storedText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !(stored in value)) return undefined;
  return value[stored] as string;
}
