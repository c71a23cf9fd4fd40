// PUT /v1/media/{id}/content: reads the bytes once and sets the record to ready or rejected.
import { operations } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';
import type { Database } from '#database';
import { implement, invalid, isProblem } from '#http';
import type { ArrivingBytes, Problems } from '#http';
import { bucketOf, keyOf } from '#lib/id';
import { follow } from '../rules/byte-scanner.ts';
import { lookAtType } from '../rules/media-type.ts';
import type { Recognised } from '../rules/media-type.ts';
import { releaseBuffer } from '#runtime';
import type { MediaStore, StoredFile } from '#storage';
import { bytesFreed } from '#outbox';
import { imageReady } from '../outbox.ts';
import { findMedia, setBlobName, setReady, setRejected } from '../queries/index.ts';
import type { MediaRow, ReadyRow } from '../queries/index.ts';
import {
  notPending,
  rejectionOf,
  requireKnown,
  requireOwner,
  requirePending,
  requireRoom,
} from '../rules/media.ts';
import { mediaView } from '../views.ts';

interface Stored {
  readonly file: StoredFile;
  readonly found: Recognised;
  readonly store: MediaStore;
}

type Received = { readonly rejection: string } | Stored;

/** Inspects the bytes as they pass, and ends the stream when they are rejected. */
function inspection(media: MediaRow, length: number) {
  const look = follow(lookAtType(length));
  const state: { found: Recognised | undefined; rejection: string | undefined } = {
    found: undefined,
    rejection: undefined,
  };
  let isDecided = false;
  const rejected = new Error('The file is rejected.');

  function decide(found: Recognised | undefined): void {
    isDecided = true;
    state.found = found;
    state.rejection = rejectionOf(media.kind, found);
    if (state.rejection !== undefined) throw rejected;
  }

  async function* passed(source: AsyncGenerator<Buffer, void, undefined>) {
    // Iterated by hand, so that the rest can still be read when this generator ends early.
    for (let next = await source.next(); !next.done; next = await source.next()) {
      const known = isDecided ? undefined : look.pass(next.value);
      if (known !== undefined) decide(known.found);
      yield next.value;
    }
    if (!isDecided) decide(look.end());
  }

  return { state, passed };
}

function unavailable(problem: Problems<ProblemName>, cause: unknown) {
  const detail = 'The bytes could not be stored. Send them again.';
  return Object.assign(problem('unavailable', detail, { retry_after_seconds: 5 }), { cause });
}

/** Reads the bytes from the connection into the store. @throws invalid-request, unavailable */
async function receive(
  media: MediaRow,
  bytes: ArrivingBytes,
  store: MediaStore,
  problem: Problems<ProblemName>,
): Promise<Received> {
  const { length } = bytes;
  const source = bytes.chunks();
  const { state, passed } = inspection(media, length);
  try {
    const chunks = passed(source);
    // The buffers of a connection are not shared, and the inspection keeps copies.
    const file = await store.put({
      bucket: bucketOf(media.id),
      length,
      chunks,
      release: releaseBuffer,
    });
    if (state.found === undefined)
      throw new Error('The type of the stored bytes was not determined.');
    return { file, found: state.found, store };
  } catch (error) {
    if (state.rejection === undefined) throw isProblem(error) ? error : unavailable(problem, error);
  }
  // The rest is discarded, but the client reads the response only after sending it.
  for await (const chunk of source) releaseBuffer(chunk);
  return { rejection: state.rejection };
}

/**
 * Keeps one of two equal files of an owner: the earlier one, unless the store has lost it. Runs outside a
 * transaction, because a store may be slow; if it is interrupted or fails, the comparison of the store with the
 * rows deletes the new file. The record is ready by then, so the upload does not fail with it.
 */
async function keepOne(db: Database, media: ReadyRow, { file, store }: Stored, now: Date) {
  const { id, name: earlier } = media;
  const key = keyOf(id);
  const isEarlierThere = await store.exists(earlier).catch(() => true);
  const kept = db.transaction(async (tx) => {
    const blob = { bucket: key.bucket, checksum: file.checksum };
    const staleVariants = isEarlierThere
      ? undefined
      : await setBlobName(tx, blob, { lost: earlier, found: file.name });
    const replaces = staleVariants !== undefined;
    if (replaces && media.kind === 'image') imageReady(tx, key, now);
    bytesFreed(tx, key.bucket, replaces ? staleVariants : [file.name], now);
  });
  await (isEarlierThere ? kept.catch(() => undefined) : kept);
}

export const uploadMedia = implement(
  operations.uploadMedia,
  async ({ db, caller, problem, store, requireAllowance }, { params, bytes }) => {
    if (bytes === undefined)
      throw invalid([
        { pointer: '', code: 'empty', detail: 'is empty: send the bytes of the file' },
      ]);
    const media = await findMedia(db, keyOf(params.id));
    requireKnown(problem, media, caller);
    requireOwner(problem, media, caller);
    requirePending(problem, media);
    requireRoom(problem, await store.hasRoom(bytes.length));
    await Promise.all([
      requireAllowance('media.bytes', bytes.length),
      requireAllowance('media.total_bytes', bytes.length),
    ]);
    return receive(media, bytes, store, problem as Problems<ProblemName>);
  },
)(async ({ tx, problem, config, now, charge, afterwards, whenRefused }, { params }, received) => {
  const key = keyOf(params.id);
  if ('rejection' in received) {
    const row = await setRejected(tx, key, received.rejection, now);
    if (row === undefined) throw notPending(problem);
    return { status: 200, body: mediaView(row, config) };
  }
  const { file, found, store } = received;
  // No row refers to these bytes in that case, and none ever will.
  whenRefused(() => store.delete(file.name));
  const row = await setReady(tx, key, {
    checksum: file.checksum,
    name: file.name,
    contentType: found.type,
    byteSize: file.size,
    size: found.size,
    now,
  });
  if (row === undefined) throw notPending(problem);
  // Only the commit makes sure that a row refers to the other bytes.
  if (row.name !== file.name) afterwards((db) => keepOne(db, row, received, now));
  if (row.kind === 'image' && row.decoded === null) imageReady(tx, key, now);
  charge('media.bytes', file.size);
  charge('media.total_bytes', file.size);
  return { status: 200, body: mediaView(row, config) };
});
