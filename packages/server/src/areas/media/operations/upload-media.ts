// PUT /v1/media/{id}/content: one pass over the bytes, and then the record says what became of them.
import { operations } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';
import { implement, invalid, isProblem } from '#http';
import type { ArrivingBytes, Problems } from '#http';
import { bucketOf } from '#lib/id';
import { earlyBytes, headBytes, recognise, recogniseEarly } from '#lib/media-type';
import type { Recognised } from '#lib/media-type';
import type { Kept, MediaStore } from '#storage';
import { bytesFreed, imageReady } from '../outbox.ts';
import { findMedia, setReady, setRejected } from '../queries/index.ts';
import type { MediaRow } from '../queries/index.ts';
import { notPending, rejectionOf, requireKnown, requireOwner, requirePending } from '../rules.ts';
import { mediaView } from '../views.ts';

type Received =
  | { readonly rejection: string }
  | { readonly kept: Kept; readonly found: Recognised; readonly discard: () => Promise<void> };

/** The front of the bytes: a little of it at first, and all that is looked at where that does not tell. */
function front(length: number) {
  let head = Buffer.allocUnsafe(Math.min(length, earlyBytes));
  let seen = 0;

  /** undefined: not known yet. */
  function look(): { readonly found: Recognised | undefined } | undefined {
    const isAll = head.length === Math.min(length, headBytes);
    const found = isAll ? recognise(head, length) : recogniseEarly(head, length);
    if (isAll || found !== undefined) return { found };
    head = Buffer.concat([head], Math.min(length, headBytes));
    return undefined;
  }

  return (chunk: Buffer) => {
    for (let taken = 0; ;) {
      const more = chunk.copy(head, seen, taken);
      taken += more;
      seen += more;
      const known = seen === head.length ? look() : undefined;
      if (known !== undefined || taken === chunk.length) return known;
    }
  };
}

/** Looks at the bytes as they pass, and ends them where they are not to be kept. */
function inspection(media: MediaRow, length: number) {
  const look = front(length);
  const state: { found: Recognised | undefined; rejection: string | undefined } = {
    found: undefined,
    rejection: undefined,
  };
  let isDecided = false;
  const rejected = new Error('The bytes are not to be kept.');

  async function* passed(source: AsyncGenerator<Buffer, void, undefined>) {
    // By hand, so that the rest can still be read when this ends early.
    for (let next = await source.next(); !next.done; next = await source.next()) {
      const known = isDecided ? undefined : look(next.value);
      if (known !== undefined) {
        isDecided = true;
        state.found = known.found;
        state.rejection = rejectionOf(media.kind, known.found);
      }
      if (state.rejection !== undefined) throw rejected;
      yield next.value;
    }
  }

  return { state, passed };
}

function unavailable(problem: Problems<ProblemName>, cause: unknown) {
  const detail = 'The bytes could not be kept now. Send them again.';
  return Object.assign(problem('unavailable', detail, { retry_after_seconds: 5 }), { cause });
}

/** Takes the bytes off the connection and into the store. @throws invalid-request, unavailable */
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
    const incoming = { bucket: bucketOf(media.id), length, chunks: passed(source) };
    const kept = await store.put(incoming);
    if (state.found === undefined) throw new Error('Bytes were kept that nobody looked at.');
    const discard = () => store.delete(kept.name).catch(() => undefined);
    return { kept, found: state.found, discard };
  } catch (error) {
    if (state.rejection === undefined) throw isProblem(error) ? error : unavailable(problem, error);
  }
  // The rest is no use to anybody, but whoever sends it hears the answer only behind it.
  while (!(await source.next()).done);
  return { rejection: state.rejection };
}

export const uploadMedia = implement(
  operations.uploadMedia,
  async ({ db, caller, problem, store, requireAllowance }, { params, bytes }) => {
    if (bytes === undefined)
      throw invalid([{ pointer: '', code: 'empty', detail: 'has no bytes: send some' }]);
    const media = await findMedia(db, { bucket: bucketOf(params.id), id: params.id });
    requireKnown(problem, media, caller);
    requireOwner(problem, media, caller);
    requirePending(problem, media);
    await requireAllowance('media.bytes', bytes.length);
    return receive(media, bytes, store, problem as Problems<ProblemName>);
  },
)(async ({ tx, problem, config, now, charge }, { params }, received) => {
  const place = { bucket: bucketOf(params.id), id: params.id };
  if ('rejection' in received) {
    const row = await setRejected(tx, place, received.rejection, now);
    if (row === undefined) throw notPending(problem);
    return { status: 200, body: mediaView(row, config) };
  }
  const { kept, found } = received;
  const row = await setReady(tx, place, {
    checksum: kept.checksum,
    name: kept.name,
    contentType: found.type,
    byteSize: kept.size,
    size: found.size,
    now,
  });
  if (row === undefined) {
    // Nothing refers to these bytes, and nothing ever will.
    void received.discard();
    throw notPending(problem);
  }
  // By a message, because only with the commit it is sure that the other bytes stay.
  if (row.name !== kept.name) bytesFreed(tx, place.bucket, [kept.name], now);
  if (row.kind === 'image' && row.decoded === null) imageReady(tx, place, now);
  charge('media.bytes', kept.size);
  return { status: 200, body: mediaView(row, config) };
});
