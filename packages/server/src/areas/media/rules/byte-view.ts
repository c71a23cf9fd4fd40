// Reads numbers and text from bytes; beyond the end, numbers read as zeros and text as empty.

/** Returns one byte, 0 beyond the end. */
export function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

/** Returns a big-endian unsigned number of one to six bytes. */
export function big(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index += 1) value = value * 256 + byteAt(bytes, at + index);
  return value;
}

/** Returns a little-endian unsigned number of one to six bytes. */
export function little(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index -= 1)
    value = value * 256 + byteAt(bytes, at + index);
  return value;
}

/** Returns bytes as Latin-1, fewer at the end. */
export function textAt(bytes: Uint8Array, start: number, length: number): string {
  return Buffer.from(bytes.subarray(start, start + length)).toString('latin1');
}
