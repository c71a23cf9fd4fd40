// The ledger's files in a store that supports S3, below `erasures/`.
import { GetObjectCommand, paginateListObjectsV2, PutObjectCommand } from '@aws-sdk/client-s3';
import { ledgerFolder } from './ledger-files.ts';
import type { LedgerFile, LedgerFiles } from './ledger-files.ts';
import { clientOf, unlessAbsent } from './s3-store.ts';
import type { S3Location } from './s3-store.ts';

const prefix = `${ledgerFolder}/`;

/** Opens the store. An object is small, and is replaced by one request. */
export function openS3Ledger(place: S3Location): LedgerFiles {
  const client = clientOf(place);
  const Bucket = place.bucket;
  return {
    list: async () => {
      const found: LedgerFile[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client },
        { Bucket, Prefix: prefix },
      ))
        for (const { Key = '', Size = 0 } of Contents)
          found.push({ name: Key.slice(prefix.length), size: Size });
      return found;
    },
    read: async (name) => {
      const Key = prefix + name;
      const found = await unlessAbsent(client.send(new GetObjectCommand({ Bucket, Key })));
      return found?.Body === undefined
        ? undefined
        : Buffer.from(await found.Body.transformToByteArray());
    },
    write: async (name, bytes) => {
      await client.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body: bytes }));
    },
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}
