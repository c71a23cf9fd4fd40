// Media in a store that supports S3, through the official client; each file is one streaming request.
import { createHash, randomBytes } from 'node:crypto';
import { pipeline, Readable, Writable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { failWhenSilent, usualSilenceMs } from './silence.ts';
import { prefixOf } from './store.ts';
import type { Incoming, StoredFile, Listed, MediaStore, Span } from './store.ts';

export interface S3Location {
  readonly bucket: string;
  /** Undefined: that of Amazon. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Milliseconds without data after which the store counts as unavailable: 15 s by default. */
  readonly silenceMs?: number;
}

const connectMs = 3_000;
const connectionsMax = 128;
/** Downloads last as long as their readers take: more than a process sends at once (`http/connections/unread.ts`). */
const downloadsMax = 1_024;
/** For one upload, on each side of the request. */
const bufferedBytes = 64 * 1024;

/** Names of this store, and those of a folder, from which a backup may come. */
const nameForm = /^(?:exports\/)?[0-9a-f]{3}\/(?:[0-9a-f]{64}-[0-9a-f]{16}|[0-9a-f]{32})$/;

/** Whether the object is missing. A missing bucket is a different fault. */
function isAbsent(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes((error as Error).name);
}

/** Returns undefined if the object is missing. */
export async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

const silent = () => undefined;

/** Opens a client of the store. `limits` are those for the silence of the store. */
function clientWith(
  { endpoint, region }: S3Location,
  limits: Readonly<Record<string, number | boolean>>,
  maxSockets = connectionsMax,
): S3Client {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Stores other than Amazon's do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    // Failures are thrown, and logged by the caller.
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    requestHandler: {
      ...limits,
      connectionTimeout: connectMs,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
}

/** Opens a client for everything but long downloads. */
export function clientOf(place: S3Location): S3Client {
  return clientWith(place, { socketTimeout: place.silenceMs ?? usualSilenceMs });
}

export interface S3Reader extends Disposable {
  /** Returns the bytes of an object as a stream; undefined if it is missing. */
  readonly open: (Key: string, span?: Span) => Promise<Readable | undefined>;
}

/**
 * Opens a client for downloads. The limit of a socket would also count the time in which the reader takes nothing:
 * one with a slow connection, or a restore that writes what it has.
 */
export function readerOf(place: S3Location): S3Reader {
  const { bucket: Bucket, silenceMs = usualSilenceMs } = place;
  const limits = { socketTimeout: 0, requestTimeout: silenceMs, throwOnRequestTimeout: true };
  const client = clientWith(place, limits, downloadsMax);
  return {
    open: async (Key, span) => {
      const Range = span === undefined ? {} : { Range: `bytes=${span.start}-${span.end}` };
      const asked = client.send(new GetObjectCommand({ Bucket, Key, ...Range }));
      const found = await unlessAbsent(asked);
      return found?.Body === undefined
        ? undefined
        : failWhenSilent(found.Body as Readable, silenceMs);
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}

async function* namesIn(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<Listed> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
    for (const { Key, LastModified } of Contents) {
      if (Key !== undefined && LastModified !== undefined)
        yield { name: Key, storedAt: LastModified };
    }
  }
}

/**
 * Calls `release` for each chunk that has been sent, so that its memory can be released at once: the client
 * pipes a body into its request without write callbacks. If a client does not pipe, the garbage collector
 * frees the memory.
 */
function releaseSent(body: Readable, release: (chunk: Uint8Array) => void): void {
  const { pipe } = body;
  body.pipe = (request) => {
    // The code below uses pipe too.
    body.pipe = pipe;
    const reporting = new Writable({
      highWaterMark: bufferedBytes,
      write: (chunk: Uint8Array, _encoding, done) => {
        request.write(chunk, (error) => {
          if (!error) release(chunk);
          done(error);
        });
      },
      final: (done) => {
        request.end();
        done();
      },
    });
    // The request reports errors to its caller.
    pipeline(body, reporting, () => undefined);
    return request;
  };
}

/**
 * Uploads in one request, because the length is known and limited: the parts of a multipart upload would be
 * kept in memory, at least 5 MiB each, and would remain if the upload fails. The object is not visible before
 * it is complete.
 */
async function putObject(
  { client, Bucket }: { readonly client: S3Client; readonly Bucket: string },
  Key: string,
  { chunks, length, release }: Incoming,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  let size = 0;
  let failure: unknown;
  // Without an abort, a request whose source failed would wait for the rest.
  const broken = new AbortController();
  async function* hashed() {
    try {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > length) break;
        hash.update(chunk);
        yield chunk;
      }
      // Thrown before the last byte is due, so that the store never has a complete object of a failed upload.
      if (size !== length) throw new Error(`Received ${size} bytes instead of ${length}.`);
    } catch (error) {
      failure = error;
      broken.abort();
      throw error;
    }
  }
  const Body = Readable.from(hashed(), { objectMode: false, highWaterMark: bufferedBytes });
  if (release !== undefined) releaseSent(Body, release);
  // The request handles the first error and has ended by then; a second one has no listener.
  Body.on('error', () => undefined);
  try {
    await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: length }), {
      abortSignal: broken.signal,
    });
  } catch (error) {
    Body.destroy();
    if (size > length) await client.send(new DeleteObjectCommand({ Bucket, Key }));
    // A failure on the sender's side is not the store's fault.
    throw failure ?? error;
  }
  return { name: Key, size, checksum: hash.digest('hex') };
}

/** Opens an S3 store. Keys are `<bucket>/<random number>`: a key is needed before the checksum is known. */
export function openS3Store(place: S3Location): MediaStore {
  const client = clientOf(place);
  const reader = readerOf(place);
  const Bucket = place.bucket;

  return {
    // The store does not use a local disk.
    hasRoom: async () => true,
    put: (incoming) => {
      const Key = `${prefixOf(incoming.bucket, incoming.use)}/${randomBytes(16).toString('hex')}`;
      return putObject({ client, Bucket }, Key, incoming);
    },
    putAs: async (Key, incoming) => {
      if (!nameForm.test(Key)) throw new Error(`No file has the name ${JSON.stringify(Key)}.`);
      await putObject({ client, Bucket }, Key, { bucket: 0, ...incoming });
    },
    isEmpty: async () => {
      for await (const { name } of namesIn(client, Bucket, ''))
        if (nameForm.test(name)) return false;
      return true;
    },
    open: reader.open,
    exists: async (Key) =>
      (await unlessAbsent(client.send(new HeadObjectCommand({ Bucket, Key })))) !== undefined,
    delete: async (Key) => {
      await unlessAbsent(client.send(new DeleteObjectCommand({ Bucket, Key })));
    },
    list: (bucket, use) => namesIn(client, Bucket, `${prefixOf(bucket, use)}/`),
    // An aborted request leaves nothing behind.
    sweep: async () => 0,
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      reader[Symbol.dispose]();
    },
  };
}
