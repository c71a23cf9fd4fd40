// A folder of Markdown files as the source of an import: a Jekyll or Hugo site, or an Obsidian vault.
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isRefusal, refusal } from '../source.ts';
import type { ParseLimit, Source, SourceArticle, Unfit } from '../source.ts';
import { markdownArticle } from './markdown-article.ts';
import { postKey } from './markdown-paths.ts';
import type { Folder } from './markdown-paths.ts';
import { filesBelow } from './media-files.ts';

const fileMax = 8 * 1024 * 1024;
const isMarkdown = (path: string) => /\.(?:md|markdown|mkd|mdown)$/i.test(path);
/** Files of the program and of its themes, not of the author. */
const isAside = (path: string) =>
  /^(?:archetypes|themes|public|resources|_layouts|_includes|_sass|vendor)\//.test(path);

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

const jekyllNames = ['_config.yml', '_config.yaml', '_config.toml'];
const hugoNames = [
  // Other programs have a `config.json`, too.
  'config.toml',
  'config.yaml',
  'config.yml',
  'config/_default',
  'archetypes',
  'hugo.toml',
  'hugo.yaml',
  'hugo.yml',
  'hugo.json',
];

async function kindOf(folder: string): Promise<Folder['kind']> {
  if (await exists(join(folder, '.obsidian'))) return 'obsidian';
  for (const name of jekyllNames) if (await exists(join(folder, name))) return 'jekyll';
  for (const name of hugoNames) if (await exists(join(folder, name))) return 'hugo';
  return 'plain';
}

async function readText(folder: string, path: string): Promise<string> {
  const file = join(folder, path);
  const { size } = await stat(file);
  if (size > fileMax) throw refusal(`It has ${size} bytes; at most ${fileMax} are read.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof TypeError) throw refusal('It is not UTF-8 text.', error);
    throw error;
  }
}

async function readArticle(folder: Folder, path: string): Promise<SourceArticle | Unfit> {
  const key = { service: folder.service, id: path };
  try {
    return await markdownArticle(folder, path, await readText(folder.root, path));
  } catch (error) {
    if (isRefusal(error)) return { key, title: path, unfit: error.message };
    throw error;
  }
}

async function* articlesOf(folder: Folder, paths: readonly string[]) {
  for (const path of paths) yield await readArticle(folder, path);
}

const names: Readonly<Record<Folder['kind'], string>> = {
  obsidian: 'Obsidian vault',
  jekyll: 'Jekyll site',
  hugo: 'Hugo site',
  plain: 'folder of Markdown files',
};

export interface FolderOptions extends ParseLimit {
  /** Whether to publish members of front matter that have no known meaning. Default false. */
  readonly keepFrontMatter?: boolean | undefined;
}

/**
 * Opens a folder of Markdown files. An article is known by the name of the folder and its path in it.
 *
 * @throws a refusal for a folder without Markdown files
 */
export async function openMarkdownFolder(
  path: string,
  { parseMs, keepFrontMatter = false }: FolderOptions = {},
): Promise<Source> {
  const root = await realpath(path);
  const files = await filesBelow(root);
  const paths = files.filter((file) => isMarkdown(file) && !isAside(file));
  if (paths.length === 0) throw refusal(`The folder ${path} contains no Markdown files.`);
  const kind = await kindOf(root);
  const byName = new Map(files.toReversed().map((file) => [basename(file).toLowerCase(), file]));
  const byPost = new Map(
    paths.toReversed().flatMap((each) => {
      const key = /(?:^|\/)_posts\//.test(each) ? postKey(each) : undefined;
      return key === undefined ? [] : [[key, each] as const];
    }),
  );
  const service = `folder:${basename(root)}`;
  const settings = { parseMs, keepFrontMatter };
  const sets = { files: new Set(files), articles: new Set(paths), byName, byPost };
  const folder = { root, kind, service, ...sets, ...settings };
  const private_ = 'Notes without `publish: true` are imported as drafts.';
  return {
    title: `${names[kind]} ${basename(root)}`,
    articleCount: paths.length,
    leftOut: kind === 'obsidian' ? [private_] : [],
    articles: (only) =>
      articlesOf(
        folder,
        paths.filter((each) => only?.has(each) !== false),
      ),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
