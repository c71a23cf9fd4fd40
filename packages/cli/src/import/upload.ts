// Uploads each file once: by its checksum, under a key that a second run repeats.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@colophon/contract';
import { isProblem, ProblemError } from '@colophon/sdk';
import type { BodyAnswer, Client } from '@colophon/sdk';
import type { StoredMedia } from './inventory.ts';
import type { Pace } from './pace.ts';
import type { SourceMedia } from './source.ts';

type Stored = StoredMedia | { readonly unfit: string };
type Record = BodyAnswer<'readMedia'>;

export interface Uploads {
  /** @returns the stored file, or why the service does not take it */
  store(media: SourceMedia): Promise<Stored>;
  /** Files uploaded by this run. */
  readonly count: () => number;
}

interface Shop {
  readonly client: Client;
  readonly pace: Pace;
  readonly stored: Map<string, StoredMedia>;
}

const pendingPolls = 60;

/** A record that another run fills at the same time becomes ready soon. */
async function waitUntilSettled({ client, pace }: Shop, id: string): Promise<Record> {
  for (let polls = 0; ; polls += 1) {
    const record = await pace.call(() => client.readMedia({ id }));
    if (record.status !== 'pending' || polls === pendingPolls) return record;
    await sleep(1000);
  }
}

async function fill(shop: Shop, id: string, bytes: Uint8Array<ArrayBuffer>): Promise<Record> {
  const { client, pace } = shop;
  try {
    return await pace.call(() => client.uploadMedia({ id, bytes }));
  } catch (error) {
    // Filled already, by an upload whose response was lost or by another run.
    if (isProblem(error, 'conflict')) return waitUntilSettled(shop, id);
    throw error;
  }
}

const removed = new Set(['gone', 'not-found', 'unavailable-for-legal-reasons']);
const attemptsMax = 9;

/**
 * Reserves a record and fills it. A record that was removed since, but whose key the service still remembers,
 * is replaced.
 */
async function upload(
  shop: Shop,
  media: SourceMedia,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: Uint8Array<ArrayBuffer> },
): Promise<Record> {
  const { kind = 'image', altText } = media;
  for (let attempt = 1; ; attempt += 1) {
    const idempotencyKey = `import-media-${kind}-${sha256}-${attempt}`;
    try {
      const { id } = await shop.pace.call(() =>
        shop.client.createMedia({ kind, alt_text: shorten(altText) }, { idempotencyKey }),
      );
      return await fill(shop, id, bytes);
    } catch (error) {
      const isOld =
        error instanceof ProblemError &&
        (removed.has(error.problem.name) || error.problem.name === 'idempotency-key-reuse');
      if (!isOld || attempt === attemptsMax) throw error;
    }
  }
}

function shorten(altText: string | null): string | null {
  if (altText === null) return null;
  const points = [...altText];
  return points.length <= limits.alt_text_max
    ? altText
    : points.slice(0, limits.alt_text_max).join('');
}

function unfitOf({ kind, size }: SourceMedia): string | undefined {
  if (kind === undefined) return 'The service does not accept files of its type.';
  if (size === 0) return 'It is empty.';
  if (size > limits.media_bytes_max)
    return `It has ${size} bytes; the service accepts at most ${limits.media_bytes_max}.`;
  return undefined;
}

function resultOf(record: Record, sha256: string): Stored {
  const { id, url, status, rejection_reason, checksum_sha256 } = record;
  if (status === 'rejected')
    return { unfit: `The service rejected it: ${rejection_reason ?? 'its type is not accepted.'}` };
  if (status !== 'ready' || url === null) return { unfit: `Its upload is ${status}.` };
  if (checksum_sha256 !== sha256) return { unfit: 'It was changed on the way to the service.' };
  return { id, url };
}

export function createUploads(
  client: Client,
  pace: Pace,
  stored: Map<string, StoredMedia>,
): Uploads {
  const shop = { client, pace, stored };
  const refused = new Map<string, Stored>();
  let count = 0;
  const known = (sha256: string | undefined) =>
    stored.get(sha256 ?? '') ?? refused.get(sha256 ?? '');
  const store = async (media: SourceMedia): Promise<Stored> => {
    const found = known(media.sha256);
    const unfit = unfitOf(media);
    if (found !== undefined) return found;
    if (unfit !== undefined) return { unfit };
    const bytes = await media.read();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (media.sha256 !== undefined && media.sha256 !== sha256)
      return { unfit: 'Its bytes do not match its checksum.' };
    const same = known(sha256);
    if (same !== undefined) return same;
    const result = resultOf(await upload(shop, media, { sha256, bytes }), sha256);
    if ('unfit' in result) refused.set(sha256, result);
    else {
      stored.set(sha256, result);
      count += 1;
    }
    return result;
  };
  return { store, count: () => count };
}
