// Releases the memory of used bytes without waiting for the garbage collector.

/**
 * Releases the memory of bytes now, if no other view shares it. The bytes must not be used afterwards: their
 * length is 0. Call it after passing on each chunk of a stream, because the collector sees only a small
 * object for each chunk and waits until tens of megabytes have accumulated. A transfer to length 0 detaches
 * the buffer (ECMA-262, ArrayBufferCopyAndDetach).
 */
export function releaseBuffer(bytes: Uint8Array): void {
  const { buffer } = bytes;
  const isShared = !(buffer instanceof ArrayBuffer) || buffer.byteLength !== bytes.byteLength;
  if (!isShared && !buffer.detached) buffer.transfer(0);
}
