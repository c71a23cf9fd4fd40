// Folders of Markdown for tests, and the articles that an import reads from them.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openSource } from '../../src/import/index.ts';
import type { OpenOptions } from '../../src/import/open-source.ts';
import type { SourceArticle } from '../../src/import/source.ts';

/** The articles of a folder, by path; or why they do not fit. */
export async function articlesIn(
  path: string,
  options: OpenOptions = {},
): Promise<Map<string, SourceArticle | string>> {
  await using source = await openSource(path, options);
  const articles = new Map<string, SourceArticle | string>();
  for await (const article of source.articles())
    articles.set(article.key.id, 'unfit' in article ? article.unfit : article);
  assert.equal(articles.size, source.articleCount);
  return articles;
}

/** An article with its text. */
export async function read(articles: Map<string, SourceArticle | string>, path: string) {
  const article = articles.get(path);
  assert.ok(article !== undefined && typeof article !== 'string', path);
  const [revision] = await article.revisions(({ name }) => `https://b.example/${name}`);
  const { title = '', content = '', metadata = {} } = revision ?? {};
  const status = article.publications.length > 0 ? 'published' : 'draft';
  return { ...article, status, title, content, metadata };
}

/** Calls `work` with a folder of these files. */
export async function withFiles(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-folder-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
