// Finds the Markdown documents of installed packages, in a stable order.
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { limits } from '@colophon/contract';
import { parsePackage } from './packages.ts';
import type { FoundDocument, PackageFacts } from './packages.ts';

export type { FoundDocument } from './packages.ts';

export interface Findings {
  readonly documents: readonly FoundDocument[];
  /** The documents that were left out, by reason. */
  readonly leftOut: Readonly<
    Record<'duplicate' | 'empty' | 'too large' | 'not text' | 'in no package', number>
  >;
}

const markdown = /\.(?:md|markdown)$/i;

/** Yields the files below a folder, sorted. Symbolic links are not followed, so no file is found twice. */
async function* markdownFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* markdownFiles(path);
    else if (entry.isFile() && markdown.test(entry.name)) yield path;
  }
}

/** Returns the nearest package.json above that names a package: inner ones often contain only `type`. */
async function packageOf(
  folder: string,
  root: string,
  known: Map<string, PackageFacts | undefined>,
): Promise<PackageFacts | undefined> {
  if (known.has(folder)) return known.get(folder);
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
  let facts = text === undefined ? undefined : parsePackage(folder, text);
  if (facts === undefined && folder !== root) facts = await packageOf(dirname(folder), root, known);
  known.set(folder, facts);
  return facts;
}

/** Decodes UTF-8 including a byte order mark; returns undefined for invalid UTF-8 and for NUL. */
function textOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Finds every *.md and *.markdown below the folders: readmes, changelogs, docs; equal contents once. */
export async function findDocuments(roots: readonly string[]): Promise<Findings> {
  const documents: FoundDocument[] = [];
  const leftOut = { duplicate: 0, empty: 0, 'too large': 0, 'not text': 0, 'in no package': 0 };
  const met = new Set<string>();
  const known = new Map<string, PackageFacts | undefined>();
  const examine = async (
    file: string,
    root: string,
  ): Promise<FoundDocument | keyof typeof leftOut> => {
    const { size } = await lstat(file);
    if (size === 0) return 'empty';
    if (size > limits.content_bytes_max) return 'too large';
    const facts = await packageOf(dirname(file), root, known);
    if (facts === undefined) return 'in no package';
    const bytes = await readFile(file);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (met.has(hash)) return 'duplicate';
    const content = textOf(bytes);
    if (content === undefined) return 'not text';
    met.add(hash);
    return { facts, path: relative(facts.folder, file).split(sep).join('/'), content };
  };
  for (const root of roots) {
    for await (const file of markdownFiles(root)) {
      const found = await examine(file, root);
      if (typeof found === 'string') leftOut[found] += 1;
      else documents.push(found);
    }
  }
  return { documents, leftOut };
}
