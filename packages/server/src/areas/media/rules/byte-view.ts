// Reads numbers and texts out of bytes; what lies behind the end reads as zeros, or as nothing.

/** One byte, 0 behind the end. */
export function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

/** An unsigned number of one to six bytes, the highest first. */
export function big(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index += 1) value = value * 256 + byteAt(bytes, at + index);
  return value;
}

/** The same, the lowest first. */
export function little(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index -= 1)
    value = value * 256 + byteAt(bytes, at + index);
  return value;
}

/** Bytes as Latin-1, fewer where there are fewer. */
export function textAt(bytes: Uint8Array, start: number, length: number): string {
  return Buffer.from(bytes.subarray(start, start + length)).toString('latin1');
}
