// The files of the transparency log in a store that supports S3, below `log/`.
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { logFolder, requireLogPath } from './log-files.ts';
import type { LogFiles } from './log-files.ts';
import { clientOf, unlessAbsent } from './s3-store.ts';
import type { S3Location } from './s3-store.ts';

/** Opens the store. An object is small, and is replaced by one request. */
export function openS3Log(place: S3Location): LogFiles {
  const client = clientOf(place);
  const at = (name: string) => ({
    Bucket: place.bucket,
    Key: `${logFolder}/${requireLogPath(name)}`,
  });
  return {
    read: async (name) => {
      const found = await unlessAbsent(client.send(new GetObjectCommand(at(name))));
      return found?.Body === undefined
        ? undefined
        : Buffer.from(await found.Body.transformToByteArray());
    },
    write: async (name, bytes) => {
      await client.send(new PutObjectCommand({ ...at(name), Body: bytes }));
    },
    deletePartials: async (name) => {
      const { Bucket, Key } = at(name);
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: `${Key}.p/` });
      for await (const { Contents = [] } of pages)
        for (const { Key: partial } of Contents)
          await client.send(new DeleteObjectCommand({ Bucket, Key: partial }));
    },
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}
