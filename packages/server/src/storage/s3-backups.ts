// Backups in a store that supports S3: uploads of unknown length, in parts.
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import type { BackupFiles, StoredBackup } from './backup-files.ts';
import { unusableBucket } from './refusals.ts';
import { clientOf, readerOf } from './s3-store.ts';
import type { S3Location } from './s3-store.ts';

const folder = 'backups/';
/** A part is kept in memory until it is sent. */
const partBytes = 16 * 1024 * 1024;
/** An upload has at most 10,000 parts: after so many of one size, the size doubles. */
const partsOfOneSize = 1_500;

function sizeOfPart(number: number): number {
  return partBytes * 2 ** Math.min(Math.floor(number / partsOfOneSize), 5);
}

/** Yields the bytes in parts, the last one of which may be shorter. */
async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let [size, number] = [0, 1];
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < sizeOfPart(number)) continue;
    yield Buffer.concat(waiting, size);
    waiting = [];
    size = 0;
    number += 1;
  }
  if (size > 0 || number === 1) yield Buffer.concat(waiting, size);
}

interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
}

async function send(client: S3Client, upload: Upload, chunks: AsyncIterable<Uint8Array>) {
  const parts: CompletedPart[] = [];
  let size = 0;
  for await (const Body of inParts(chunks)) {
    const PartNumber = parts.length + 1;
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
    parts.push({ PartNumber, ETag });
    size += Body.length;
  }
  await client.send(
    new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
  );
  return size;
}

async function listBackups(client: S3Client, Bucket: string): Promise<StoredBackup[]> {
  const found: StoredBackup[] = [];
  const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: folder });
  for await (const { Contents = [] } of pages)
    for (const { Key = '', Size = 0 } of Contents)
      found.push({ name: Key.slice(folder.length), size: Size });
  return found;
}

/** Aborts uploads that were begun before this time: their parts take space, and no list shows them. */
async function sweep(client: S3Client, Bucket: string, before: Date): Promise<void> {
  const listed = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: folder }));
  for (const { Key, UploadId, Initiated } of listed.Uploads ?? [])
    if (Initiated !== undefined && Initiated < before)
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
}

/**
 * Waits for an answer of the store. The client's own messages are often no more than "UnknownError".
 * @throws Error in a sentence for the operator, which repeats no key
 */
async function explainFailure<T>(place: S3Location, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new Error(unusableBucket(place, cause), { cause });
  }
}

/** Opens the store. Backups are below `backups/`. */
export function openS3Backups(place: S3Location): BackupFiles {
  const client = clientOf(place);
  const reader = readerOf(place);
  const Bucket = place.bucket;
  return {
    put: async (name, chunks) => {
      const Key = folder + name;
      const begin = new CreateMultipartUploadCommand({ Bucket, Key });
      const { UploadId } = await explainFailure(place, client.send(begin));
      const upload = { Bucket, Key, UploadId };
      try {
        return await send(client, upload, chunks);
      } catch (error) {
        await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
        throw error;
      }
    },
    open: (name) => explainFailure(place, reader.open(folder + name)),
    list: () => explainFailure(place, listBackups(client, Bucket)),
    delete: async (name) => {
      await explainFailure(
        place,
        client.send(new DeleteObjectCommand({ Bucket, Key: folder + name })),
      );
    },
    sweep: (before) => explainFailure(place, sweep(client, Bucket, before)),
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      reader[Symbol.dispose]();
    },
  };
}
