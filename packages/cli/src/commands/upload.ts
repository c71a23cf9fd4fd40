// `colophon upload FILE`: stores a file for articles, with a progress bar.
import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { limits, mediaKinds } from '@colophon/contract';
import type { Command } from '@commander-js/extra-typings';
import type { MediaFile } from '@colophon/sdk';
import { readNamed } from '../api/values.ts';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { failure, misuse } from '../failures.ts';
import { oneLine } from '../output/printable.ts';
import { openProgress } from '../output/progress.ts';
import { oneOf } from '../words.ts';

type Kind = (typeof mediaKinds)[number];

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
async function checkFile({ terminal }: Context, file: string): Promise<void> {
  const found = await stat(resolve(terminal.folder, file)).catch(() => undefined);
  // Reading it says why it cannot be read.
  if (found === undefined || found.isDirectory()) await readNamed(terminal, file);
  const size = found?.size ?? 0;
  if (size <= limits.media_bytes_max) return;
  throw failure(
    `${file} has ${size} bytes. The service takes at most ${limits.media_bytes_max}.`,
    'Make it smaller.',
  );
}

/** Characters that would end the description, or be taken for Markdown in it. */
const escapeMarkdown = (text: string) => text.replaceAll(/[!&*<>[\\\]_`~]/g, String.raw`\$&`);

function checkAccepted(media: MediaFile): void {
  if (media.status !== 'rejected') return;
  const why = media.rejection_reason ?? 'its type is not accepted';
  throw failure(
    `The service rejected the file: ${oneLine(why)}`,
    'Convert the file and upload it again.',
  );
}

async function upload(context: Context, file: string, words: Words): Promise<void> {
  await checkFile(context, file);
  const kind = kindOf(file, words.kind);
  const bytes = new Uint8Array(await readNamed(context.terminal, file));
  if (bytes.byteLength === 0) throw failure(`${file} is empty.`, 'Choose another file.');
  const { uploadFile } = await import('@colophon/sdk');
  const client = await context.client();
  const source = words.generated ? 'generated' : 'upload';
  const progress = openProgress(context.terminal, bytes.byteLength);
  const media = await uploadFile(
    client,
    { content: bytes, kind, alt_text: words.alt, source },
    { idempotencyKey: context.key('media'), onProgress: ({ sent }) => progress.show(sent) },
  ).finally(progress.end);
  checkAccepted(media);
  await context.output.answer(media, () => [
    `Uploaded ${oneLine(basename(file))} as ${media.id}.`,
    `Markdown: ![${escapeMarkdown(oneLine(words.alt ?? ''))}](${oneLine(media.url ?? '')})`,
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
