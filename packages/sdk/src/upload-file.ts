// uploadFile: reserves a record, sends the bytes, and returns the record when it is ready.
import { requireClient, requireObject } from './check-input.ts';
import { inputError } from './input-error.ts';
import type { CallOptions } from './call-options.ts';
import type { Client } from './client-type.ts';
import { isProblem } from './problem-error.ts';
import type { ProblemError } from './problem-error.ts';
import type { BodyAnswer, InputOf } from './types.ts';

type Reservation = InputOf<'createMedia'>;
export type MediaFile = BodyAnswer<'uploadMedia'>;

/** The whole content of a file, or a source of it. */
export type FileContent =
  | Blob
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export interface FileUpload extends Omit<Reservation, 'kind'> {
  readonly content: FileContent;
  /** Required unless `content` is a Blob with a type, such as a File. */
  readonly kind?: Reservation['kind'] | undefined;
  /** A record that is reserved and still pending. Without it, one is reserved. */
  readonly id?: string | undefined;
}

/** Bytes. */
const largest = 52_428_800;
const uploads = 3;

async function reserve(
  client: Client,
  { content, kind, id, ...rest }: FileUpload,
  options: CallOptions,
): Promise<string> {
  if (id !== undefined) return id;
  const reservation = { ...rest, kind: kindOf({ content, kind }) };
  return (await client.createMedia(reservation, options)).id;
}

/** The kind of a media type: `image` for `image/png`. */
function kindOf({ kind, content }: FileUpload): Reservation['kind'] {
  if (kind !== undefined) return kind;
  const type = content instanceof Blob ? content.type : '';
  const [major] = type.split('/');
  if (major === 'image' || major === 'video' || major === 'audio') return major;
  if (type === 'application/pdf') return 'document';
  throw inputError('uploadFile requires kind: image, video, audio or document.');
}

function checkSize(size: number): void {
  if (size > largest)
    throw inputError(`The file is larger than ${largest} bytes. Nothing was sent.`);
  if (size === 0) throw inputError('The file is empty. Nothing was sent.');
}

interface Source {
  readonly next: () => Promise<IteratorResult<Uint8Array, unknown>>;
  /** Tells a source that no more is read. */
  readonly stop: () => Promise<unknown>;
}

function sourceOf(content: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Source {
  if (content instanceof ReadableStream) {
    const reader = content.getReader();
    const next = () => reader.read() as Promise<IteratorResult<Uint8Array, unknown>>;
    return { next, stop: () => reader.cancel() };
  }
  // Programs without types pass nothing at all.
  const given = content as Partial<AsyncIterable<Uint8Array>> | null | undefined;
  if (typeof given?.[Symbol.asyncIterator] !== 'function')
    throw inputError(
      'content must be a Blob, a Uint8Array, a stream or an async iterator of bytes.',
    );
  const iterator = content[Symbol.asyncIterator]();
  return { next: () => iterator.next(), stop: async () => iterator.return?.() };
}

async function collect({ next }: Source, signal: AbortSignal | undefined): Promise<Blob> {
  const chunks: BlobPart[] = [];
  let size = 0;
  for (;;) {
    const one = await unlessAborted(next(), signal);
    if (one.done === true) return new Blob(chunks);
    // A stream with an encoding gives texts.
    if (!ArrayBuffer.isView(one.value))
      throw inputError('The content must give bytes (Uint8Array). Nothing was sent.');
    size += one.value.byteLength;
    checkSize(Math.max(size, 1));
    chunks.push(one.value as Uint8Array<ArrayBuffer>);
  }
}

/** Rejects with the reason of the signal if it aborts first: a source may never give its next chunk. */
async function unlessAborted<T>(next: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return next;
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
  return Promise.race([aborted, next]).finally(() => signal.removeEventListener('abort', abort));
}

/** Reads a stream to its end, because a retry sends all bytes again and the length must be known. */
async function blobOf(content: FileContent, signal: AbortSignal | undefined): Promise<Blob> {
  if (content instanceof Blob) return content;
  if (content instanceof Uint8Array) return new Blob([content as Uint8Array<ArrayBuffer>]);
  signal?.throwIfAborted();
  const source = sourceOf(content);
  try {
    return await collect(source, signal);
  } catch (error) {
    // Not awaited: a generator that is suspended in a wait of its own ends only after that wait.
    source.stop().catch(() => {});
    throw error;
  }
}

async function checksumOf(blob: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether the upload may have succeeded although its call failed. */
function isInDoubt(error: unknown): error is ProblemError {
  return isProblem(error) && (error.outcomeUnknown || error.problem.name === 'conflict');
}

/** Sends the bytes. After a lost answer it asks whether they arrived, and sends them again only if not. */
async function send(
  client: Client,
  id: string,
  blob: Blob,
  options: CallOptions,
): Promise<MediaFile> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.uploadMedia({ id, bytes: blob }, options);
    } catch (error) {
      if (!isInDoubt(error)) throw error;
      const record = await client.readMedia({ id }, { signal: options.signal });
      if (record.status !== 'pending') {
        const same = record.checksum_sha256 === (await checksumOf(blob));
        if (record.status === 'rejected' || same) return record;
        throw error;
      }
      if (attempt === uploads) throw error;
    }
  }
}

/**
 * Uploads a file: reserves a record, sends the bytes, and returns the record, which is `ready`, or `rejected`
 * with a `rejection_reason`. A stream is read to its end first, because a retry sends all bytes again. A call
 * whose answer is lost is not sent twice if its bytes have arrived. `onProgress` reports the bytes sent;
 * outside Node.js and Bun, only the beginning and the end.
 *
 * @throws TypeError for a file that is empty or larger than 52,428,800 bytes, and for a missing kind; nothing
 * was sent then; also for a source of anything but bytes. ProblemError as createMedia and uploadMedia do.
 * @example
 * const media = await uploadFile(client, { content: file, alt_text: 'A lighthouse at dusk' });
 * if (media.status === 'rejected') console.log(media.rejection_reason);
 */
export async function uploadFile(
  client: Client,
  file: FileUpload,
  options: CallOptions = {},
): Promise<MediaFile> {
  requireClient(client, 'uploadFile');
  requireObject(file, 'uploadFile requires one object with content, such as { content, kind }.');
  if (file.id === undefined) kindOf(file);
  const blob = await blobOf(file.content, options.signal);
  checkSize(blob.size);
  const { onProgress, ...reserving } = options;
  const id = await reserve(client, file, reserving);
  return send(client, id, blob, { signal: options.signal, onProgress });
}
