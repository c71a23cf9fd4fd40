// `colophon upload FILE`: stores a file for articles, with a progress bar.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { limits, mediaKinds } from '@colophon/contract';
import type { Command } from '@commander-js/extra-typings';
import type { BodyAnswer, Client, ProblemError } from '@colophon/sdk';
import { readNamed } from '../api/values.ts';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { failure, misuse } from '../failures.ts';
import { oneLine } from '../output/printable.ts';
import { openProgress } from '../output/progress.ts';
import type { Progress } from '../output/progress.ts';
import { oneOf } from '../words.ts';

type Kind = (typeof mediaKinds)[number];
type Media = BodyAnswer<'readMedia'>;

interface Words {
  readonly kind?: Kind | undefined;
  readonly alt?: string | undefined;
  readonly generated?: true | undefined;
}

const kinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif'].map((end) => [end, 'image']),
  ),
  ...Object.fromEntries(
    ['.mp3', '.ogg', '.oga', '.wav', '.flac', '.m4a'].map((end) => [end, 'audio']),
  ),
  '.mp4': 'video',
  '.webm': 'video',
  '.pdf': 'document',
};

function kindOf(file: string, given: Kind | undefined): Kind {
  const kind = given ?? kinds[extname(file).toLowerCase()];
  if (kind !== undefined) return kind;
  throw misuse(
    `The kind of ${basename(file)} is not known.`,
    `Add --kind: ${mediaKinds.join(', ')}.`,
  );
}

/** The service refuses a file that is too large only after it has been sent. */
async function checkSize({ terminal }: Context, file: string): Promise<void> {
  const size = (await stat(resolve(terminal.folder, file)).catch(() => undefined))?.size ?? 0;
  if (size <= limits.media_bytes_max) return;
  throw failure(
    `${file} has ${size} bytes. The service takes at most ${limits.media_bytes_max}.`,
    'Make it smaller.',
  );
}

/** Returns the bytes as a Blob that reports what has been read from it. */
function observed(bytes: Uint8Array<ArrayBuffer>, progress: Progress): Blob {
  const blob = new Blob([bytes]);
  const stream = (): ReadableStream<Uint8Array<ArrayBuffer>> => {
    let sent = 0;
    const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        sent += chunk.byteLength;
        progress.show(sent);
        controller.enqueue(chunk);
      },
    });
    return Blob.prototype.stream.call(blob).pipeThrough(counting) as ReadableStream<
      Uint8Array<ArrayBuffer>
    >;
  };
  return Object.defineProperty(blob, 'stream', { value: stream });
}

const attempts = 4;

/** Whether a transfer may have arrived although no success was answered. */
function isOpen(error: unknown): boolean {
  if (!(error instanceof Error && error.name === 'ProblemError')) return false;
  const { outcomeUnknown, problem } = error as ProblemError;
  return outcomeUnknown || problem.name === 'conflict';
}

/**
 * Sends the bytes until the record is final. A transfer has no Idempotency-Key: after a lost response the record
 * shows whether the bytes arrived, and they are sent again while it is pending.
 */
async function send(client: Client, id: string, bytes: Blob): Promise<Media> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.uploadMedia({ id, bytes });
    } catch (error) {
      if (!isOpen(error)) throw error;
      const media = await client.readMedia({ id });
      if (media.status !== 'pending') return media;
      if (attempt >= attempts) throw error;
    }
  }
}

function check(media: Media, bytes: Uint8Array): void {
  if (media.status === 'rejected') {
    const why = media.rejection_reason ?? 'its type is not accepted';
    throw failure(
      `The service rejected the file: ${oneLine(why)}`,
      'Convert the file and upload it again.',
    );
  }
  const sum = createHash('sha256').update(bytes).digest('hex');
  if (media.checksum_sha256 !== null && media.checksum_sha256 !== sum)
    throw failure(
      'The service stored other bytes.',
      `Delete the file: colophon api delete-media --id ${media.id}`,
    );
}

async function upload(context: Context, file: string, words: Words): Promise<void> {
  const kind = kindOf(file, words.kind);
  await checkSize(context, file);
  const bytes = new Uint8Array(await readNamed(context.terminal, file));
  const client = await context.client();
  const source = words.generated ? 'generated' : 'upload';
  const { id } = await client.createMedia(
    { kind, alt_text: words.alt, source },
    { idempotencyKey: context.key('media') },
  );
  const progress = openProgress(context.terminal, bytes.byteLength);
  const media = await send(client, id, observed(bytes, progress)).finally(progress.end);
  check(media, bytes);
  await context.output.answer(media, () => [
    `Uploaded ${oneLine(basename(file))} as ${media.id}.`,
    `Markdown: ![${oneLine(words.alt ?? '')}](${oneLine(media.url ?? '')})`,
  ]);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<file>', 'an image, audio, video or PDF file')
    .option('--alt <text>', 'a description for people who cannot see or hear it')
    .addOption(oneOf('--kind <kind>', 'its kind (default: from the name)', mediaKinds))
    .option('--generated', 'the file was made by a machine')
    .action((file, words) => upload(open(), file, words));
  addExamples(command, [
    [
      'colophon upload heron.png --alt "A heron in the reeds"',
      'Upload an image; the Markdown for it is printed',
    ],
    ['colophon upload heron.png --json', 'The record as JSON'],
  ]);
}
