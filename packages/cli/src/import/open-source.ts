// Finds out which program wrote a file or folder, and opens it.
import { open, stat } from 'node:fs/promises';
import { openColophonArchive } from './archive/colophon.ts';
import type { Checking } from './archive/checksums.ts';
import { openGhost } from './formats/ghost.ts';
import { openMarkdownFolder } from './formats/markdown-folder.ts';
import type { FolderOptions } from './formats/markdown-folder.ts';
import { openWordpress } from './formats/wordpress.ts';
import { refusal } from './source.ts';
import type { Source } from './source.ts';

export interface OpenOptions extends Checking, FolderOptions {
  /** Files that the export itself does not contain: a folder, or a ZIP of it. */
  readonly media?: string | undefined;
}

const headBytes = 4096;

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path);
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await file.read(head, 0, headBytes, 0);
  return head.subarray(0, bytesRead);
}

/**
 * Opens an export of Colophon, WordPress or Ghost, or a folder of Markdown. What can be checked without a
 * service has been checked when it returns.
 *
 * @throws a refusal for anything else, and for a file that is damaged
 */
export async function openSource(path: string, options: OpenOptions = {}): Promise<Source> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw refusal(`There is no file or folder ${path}.`);
  if (found.isDirectory()) return openMarkdownFolder(path, options);
  const head = await headOf(path);
  const { media: folder, parseMs } = options;
  if (head.subarray(0, 2).toString() === 'PK') return openColophonArchive(path, options);
  const text = head
    .toString()
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('<')) return openWordpress(path, { folder, parseMs });
  if (text.startsWith('{')) return openGhost(path, { folder, parseMs });
  throw refusal(
    `${path} is not an export that this program can read. Give an export of Colophon (ZIP), WordPress (XML) or Ghost (JSON), or a folder of Markdown files.`,
  );
}
