// JSON that is answered as it is stored: it is neither parsed nor written again.

const stored = Symbol('stored JSON');

/** The value of JSON that was checked before it was stored: metadata, 16 KiB at most. */
export function readStored(text: string): unknown {
  // oxlint-disable-next-line no-restricted-properties
  return JSON.parse(text);
}

/**
 * Stands for an object whose JSON text is known. `JSON.stringify` and serialisers parse the text; what is made
 * in pieces takes it as it is.
 */
export function storedJson(text: string): Record<string, unknown> {
  return { [stored]: text, toJSON: () => readStored(text) };
}

/** The text of such an object; undefined for every other value. */
export function storedText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !(stored in value)) return undefined;
  return value[stored] as string;
}
