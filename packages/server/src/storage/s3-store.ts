// Media in any store that speaks S3, through the official client; each file is one request that streams.
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
import { prefixOf } from './store.ts';
import type { Incoming, Kept, Listed, MediaStore, Span } from './store.ts';

export interface S3Place {
  readonly bucket: string;
  /** Left out: Amazon's own. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** A store that says nothing for so long is away: 15 s by default. */
  readonly silenceMs?: number;
}

const usualSilenceMs = 15_000;
const connectMs = 3_000;
const connectionsMax = 128;
/** Of one upload, on each side of the request. */
const bufferedBytes = 64 * 1024;

/** A bucket that is not there is another fault. */
function isAbsent(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes((error as Error).name);
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

const silent = () => undefined;

function clientOf({ endpoint, region, silenceMs = usualSilenceMs }: S3Place): S3Client {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Other stores than Amazon's do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    // What fails is thrown, and told by whoever asked.
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: silenceMs,
      httpAgent: { maxSockets: connectionsMax },
      httpsAgent: { maxSockets: connectionsMax },
    },
  });
}

async function* namesIn(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<Listed> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
    for (const { Key, LastModified } of Contents) {
      if (Key !== undefined && LastModified !== undefined)
        yield { name: Key, keptAt: LastModified };
    }
  }
}

/**
 * The client pipes a body into its request, which asks for no word of what has left. Here it does, so that the
 * memory of each chunk may be given back at once. A client that does not pipe leaves it to the collector.
 */
function tellWhatLeft(body: Readable, taken: (chunk: Uint8Array) => void): void {
  const { pipe } = body;
  body.pipe = (request) => {
    // What follows pipes too.
    body.pipe = pipe;
    const told = new Writable({
      highWaterMark: bufferedBytes,
      write: (chunk: Uint8Array, _encoding, done) => {
        request.write(chunk, (error) => {
          if (!error) taken(chunk);
          done(error);
        });
      },
      final: (done) => {
        request.end();
        done();
      },
    });
    // Whoever waits for the request hears what breaks.
    pipeline(body, told, () => undefined);
    return request;
  };
}

/**
 * The length is known and bounded, so one request does: the parts of a multipart upload would be held in
 * memory, 5 MiB at least, and would stay behind when the upload breaks off. Nothing is there before all is.
 */
async function put(
  client: S3Client,
  Bucket: string,
  { bucket, chunks, length, taken }: Incoming,
): Promise<Kept> {
  const Key = `${prefixOf(bucket)}/${randomBytes(16).toString('hex')}`;
  const hash = createHash('sha256');
  let size = 0;
  let failure: unknown;
  // A request whose source broke would wait for the rest.
  const broken = new AbortController();
  async function* hashed() {
    try {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > length) break;
        hash.update(chunk);
        yield chunk;
      }
      // Said before the last byte is due, so that the store never has all of an object that is none.
      if (size !== length) throw new Error(`${size} bytes came in place of ${length}.`);
    } catch (error) {
      failure = error;
      broken.abort();
      throw error;
    }
  }
  const Body = Readable.from(hashed(), { objectMode: false, highWaterMark: bufferedBytes });
  if (taken !== undefined) tellWhatLeft(Body, taken);
  // The request hears it first and is gone by then; a second time nobody listens.
  Body.on('error', () => undefined);
  try {
    await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: length }), {
      abortSignal: broken.signal,
    });
  } catch (error) {
    Body.destroy();
    if (size > length) await client.send(new DeleteObjectCommand({ Bucket, Key }));
    // What broke off on the sender's side is not the store's fault.
    throw failure ?? error;
  }
  return { name: Key, size, checksum: hash.digest('hex') };
}

/** Keys are `<bucket>/<number drawn by lot>`: a key must be there before the checksum is known. */
export function openS3Store(place: S3Place): MediaStore {
  const client = clientOf(place);
  const Bucket = place.bucket;

  async function open(Key: string, span?: Span): Promise<Readable | undefined> {
    const Range = span === undefined ? {} : { Range: `bytes=${span.start}-${span.end}` };
    const found = await unlessAbsent(client.send(new GetObjectCommand({ Bucket, Key, ...Range })));
    return found?.Body as Readable | undefined;
  }

  return {
    // The store has no disk of ours.
    hasRoom: async () => true,
    put: (incoming) => put(client, Bucket, incoming),
    open,
    exists: async (Key) =>
      (await unlessAbsent(client.send(new HeadObjectCommand({ Bucket, Key })))) !== undefined,
    delete: async (Key) => {
      await unlessAbsent(client.send(new DeleteObjectCommand({ Bucket, Key })));
    },
    list: (bucket) => namesIn(client, Bucket, `${prefixOf(bucket)}/`),
    // A request that breaks off leaves nothing.
    sweep: async () => 0,
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}
