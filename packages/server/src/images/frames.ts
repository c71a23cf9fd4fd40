// The framing of images on a pipe: width and length in four bytes each, then the bytes.

/** The exit code for an image that cannot be decoded. */
export const undecodable = 3;

export interface Frame {
  readonly width: number;
  readonly bytes: Buffer;
}

/** @throws Error when a frame is truncated */
export function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 8 > bytes.length) throw new Error('The header of an image is truncated.');
    const end = at + 8 + bytes.readUInt32BE(at + 4);
    if (end > bytes.length) throw new Error('An image is truncated.');
    frames.push({ width: bytes.readUInt32BE(at), bytes: bytes.subarray(at + 8, end) });
    at = end;
  }
  return frames;
}
