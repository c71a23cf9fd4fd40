// Files of a folder that articles refer to: by path, inside the folder only.
import { createReadStream } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { openZip } from '../archive/zip.ts';
import { refusal } from '../source.ts';
import type { MediaKind, SourceMedia } from '../source.ts';

const kinds: Readonly<Record<string, MediaKind>> = {
  avif: 'image',
  gif: 'image',
  jpeg: 'image',
  jpg: 'image',
  png: 'image',
  webp: 'image',
  flac: 'audio',
  m4a: 'audio',
  mp3: 'audio',
  oga: 'audio',
  ogg: 'audio',
  wav: 'audio',
  mp4: 'video',
  webm: 'video',
  pdf: 'document',
};

/** Types that people take for media, and that the service does not accept. */
const unaccepted = /\.(?:svg|bmp|tiff?|heic|ico|mov|avi|mkv|docx?|odt|epub|zip)$/i;

/** Returns the kind by the name; the service decides by the bytes. */
function kindOf(name: string): MediaKind | undefined {
  return kinds[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];
}

/** Whether a link to this file means a medium, accepted or not. */
export function isMediaName(name: string): boolean {
  return kindOf(name) !== undefined || unaccepted.test(name);
}

const entriesMax = 1_000_000;

/**
 * Returns the paths of all files below a folder, with `/` and sorted. Hidden files, links and folders of
 * packages are left out.
 */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [''];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true })) {
      if (/^\.|^(?:node_modules|_site)$/.test(entry.name)) continue;
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile()) found.push(path);
    }
    if (found.length > entriesMax) throw refusal(`The folder has more than ${entriesMax} files.`);
  }
  return found.toSorted((a, b) => (a < b ? -1 : 1));
}

/** Returns a file of a folder as a medium. Its size is read when it is needed. */
export async function fileMedia(
  folder: string,
  path: string,
  altText: string | null = null,
): Promise<SourceMedia | undefined> {
  const file = await realpath(join(folder, path)).catch(() => undefined);
  // A link may lead out of the folder.
  if (file === undefined || !file.startsWith((await realpath(folder)) + sep)) return undefined;
  const found = await stat(file);
  if (!found.isFile()) return undefined;
  return {
    name: path,
    kind: kindOf(path),
    size: found.size,
    altText,
    sha256: undefined,
    read: async () => new Uint8Array(await readFile(file)),
  };
}

export interface Files extends AsyncDisposable {
  /** Returns the file at a path with `/`, or undefined. */
  find(path: string, altText: string | null): Promise<SourceMedia | undefined>;
}

async function zipFiles(file: string): Promise<Files> {
  const zip = await openZip(file);
  return {
    find: async (path, altText) =>
      zip.has(path)
        ? {
            name: path,
            kind: kindOf(path),
            size: zip.sizeOf(path),
            altText,
            sha256: undefined,
            read: async () => new Uint8Array(await zip.read(path, zip.sizeOf(path))),
          }
        : undefined,
    [Symbol.asyncDispose]: () => zip[Symbol.asyncDispose](),
  };
}

/** Opens a folder, or a ZIP archive of one. @throws a refusal for anything else */
export async function openFiles(path: string): Promise<Files> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return zipFiles(path);
  if (found?.isDirectory() !== true) throw refusal(`There is no folder ${path}.`);
  return {
    find: (name, altText) => fileMedia(path, name, altText),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Returns the decoded text of a file, in pieces. @throws a refusal for text that is not UTF-8 */
export async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const part of createReadStream(file))
      yield decoder.decode(part as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw refusal(`${file} is not UTF-8 text.`, error);
    throw error;
  }
}
