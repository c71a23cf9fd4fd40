// Memory of bytes that have done their work, given back without waiting for the collector.

/**
 * Gives the memory of bytes back now, where it is theirs alone: nobody may look at them afterwards, they have
 * no length any more. Whoever passes a stream of bytes on does it, because the collector sees a small object
 * for each and waits for tens of megabytes of them. Transferring to no length detaches (ECMA-262, ArrayBufferCopyAndDetach).
 */
export function releaseBuffer(bytes: Uint8Array): void {
  const { buffer } = bytes;
  const isShared = !(buffer instanceof ArrayBuffer) || buffer.byteLength !== bytes.byteLength;
  if (!isShared && !buffer.detached) buffer.transfer(0);
}
