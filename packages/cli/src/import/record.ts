// What an account got by imports on this machine: found again when no list of the service names it any more.
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '../make-folders.ts';
import { aboutFile } from '../profiles/private-file.ts';
import { isObject } from './json.ts';
import { keyText } from './origin.ts';
import type { OriginKey } from './source.ts';

/** The articles that imports wrote. */
export interface ImportRecord {
  /** Returns the id of an article at the service. */
  readonly idOf: (key: OriginKey) => string | undefined;
  add(key: OriginKey, id: string): Promise<void>;
  /** Forgets an article that the import itself removes again. */
  remove(key: OriginKey): Promise<void>;
}

interface Entry {
  readonly key: string;
  /** Undefined for an article that is forgotten. */
  readonly id: string | undefined;
}

function entryOf(line: string): Entry | undefined {
  try {
    // oxlint-disable-next-line no-restricted-properties -- every member is checked below
    const value: unknown = JSON.parse(line);
    const { service, article_id, id } = isObject(value) ? value : {};
    if (typeof service !== 'string' || typeof article_id !== 'string') return undefined;
    const key = keyText({ service, id: article_id });
    return { key, id: typeof id === 'string' ? id : undefined };
  } catch {
    // The end of a line that a killed run began.
    return undefined;
  }
}

async function linesOf(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n');
}

/**
 * Opens the record in a file, which is created for its owner only. Lines are appended, so two imports at once
 * lose none, and a line that a killed run left unfinished concerns one article.
 */
export async function openImportRecord(file: string): Promise<ImportRecord> {
  const ids = new Map<string, string | undefined>();
  for (const line of await linesOf(file)) {
    const entry = entryOf(line);
    if (entry !== undefined) ids.set(entry.key, entry.id);
  }
  const write = async (key: OriginKey, id: string | undefined) => {
    if (ids.get(keyText(key)) === id) return;
    await makeFolders(dirname(file), 0o700);
    await using handle = await open(file, 'a', 0o600);
    const line = JSON.stringify({ service: key.service, article_id: key.id, id: id ?? null });
    // On a line of its own, also after a line that was not finished.
    await handle.appendFile(`\n${line}`).catch((error: unknown) => {
      throw aboutFile(error, file);
    });
    ids.set(keyText(key), id);
  };
  return {
    idOf: (key) => ids.get(keyText(key)),
    add: write,
    remove: (key) => write(key, undefined),
  };
}
