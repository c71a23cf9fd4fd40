// The texts of the seeded site: Markdown files with front matter.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Link {
  /** An edge kind of the contract. */
  readonly kind: string;
  /** Key of the text that it links to. */
  readonly to: string;
  readonly note?: string;
}

export interface SeedText {
  /** Name of the file without its extension. */
  readonly key: string;
  readonly title: string;
  /** Username of a participant in participants.ts. */
  readonly author: string;
  /** BCP 47. */
  readonly language: string;
  readonly topics: readonly string[];
  /** It is published with a date this many days before the first run. */
  readonly days_ago: number;
  /** Name of a picture in pictures.ts. */
  readonly picture?: string;
  readonly edges: readonly Link[];
  readonly content: string;
}

/** @throws Error when a text has no front matter */
function parseText(key: string, file: string): SeedText {
  const parts = /^---\n([\s\S]*?)\n---\n\n?([\s\S]*)$/.exec(file);
  if (parts === null) throw new Error(`${key}.md has no front matter.`);
  const facts = parse(parts[1] ?? '') as Omit<SeedText, 'key' | 'content'>;
  return { ...facts, edges: facts.edges ?? [], key, content: parts[2] ?? '' };
}

/** Returns all texts of the folder, the oldest first. */
export async function readTexts(folder: string): Promise<readonly SeedText[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(
    names.map(async (name) =>
      parseText(name.slice(0, -3), await readFile(join(folder, name), 'utf8')),
    ),
  );
  return texts.toSorted((a, b) => b.days_ago - a.days_ago || (a.key < b.key ? -1 : 1));
}
