// One Markdown file as an article: its front matter, its title and time, and the files that it uses.
import { basename, dirname } from 'node:path';
import { dateHint } from '../dates.ts';
import type { SourceArticle, SourceMedia } from '../source.ts';
import { parse } from '../parsing/parser.ts';
import { fittedDisclosure } from './fitting.ts';
import { textIn } from './front-matter.ts';
import { linksToOf } from './html-links.ts';
import { applyEdits } from './markdown-links.ts';
import { metadataOf } from './markdown-metadata.ts';
import { pathOf } from './markdown-paths.ts';
import type { Folder } from './markdown-paths.ts';
import type { MarkdownText } from './markdown-text.ts';
import { usesOf } from './markdown-uses.ts';
import type { Page } from './markdown-uses.ts';
import { fileMedia } from './media-files.ts';
import { flagIn, isMarkedDraft, timesIn, unreadDate, visibilityIn } from './publication.ts';
import { simpleArticle } from './simple-article.ts';

type Row = Readonly<Record<string, unknown>>;

/** A name like `2026-11-23-welcome-to-jekyll.markdown`. */
function nameParts(path: string): { readonly day: string; readonly words: string } {
  const bare = basename(path).replace(/\.\w+$/, '');
  const isIndex = /^_?index$/.test(bare) && path.includes('/');
  const own = isIndex ? basename(dirname(path)) : bare;
  const [, day = '', rest = own] = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(own) ?? [];
  return { day, words: rest };
}

/**
 * Publishes only what the author has published: with a time and not as a draft; in a vault of notes only with
 * `publish: true`.
 */
function publicationOf({ folder, path, members }: Page) {
  const times = timesIn(members, nameParts(path).day);
  const isDraft = isMarkedDraft(members) || /(?:^|\/)_drafts\//.test(path);
  const isMarked = flagIn(members, 'publish') === true || flagIn(members, 'published') === true;
  const hasTime = folder.kind !== 'obsidian' && times.publishedAt !== undefined;
  const isReady = !isDraft && (isMarked || hasTime);
  return {
    publishedAt: times.publishedAt,
    isPublished: isReady && times.note === undefined,
    visibility: visibilityIn(members),
    notes: isReady && times.note !== undefined ? [times.note] : [],
  };
}

/** A page without a time may be published, or a note for its author alone. */
function draftNotes({ folder, members }: Page, hasTime: boolean): readonly string[] {
  if (hasTime || folder.kind === 'obsidian') return [];
  const isOwn = ['draft', 'published'].some((name) => name in members);
  if (isOwn) return [];
  const date = unreadDate(members);
  return date === ''
    ? ['It has no date, and is imported as a draft.']
    : [
        `Its date (${date}) is not one that can be read, and it is imported as a draft. ${dateHint}`,
      ];
}

const imageNames = ['featured_image', 'image', 'cover', 'thumbnail', 'hero', 'banner'] as const;

async function featuredOf(page: Page): Promise<SourceMedia | undefined> {
  const { members } = page;
  for (const name of imageNames) {
    const value = members[name];
    const inner = typeof value === 'object' && value !== null ? (value as Row) : { path: value };
    const address = textIn(inner, 'path', 'image', 'src', 'url').replace(/^\[\[|\]\]$/g, '');
    const path = address === '' ? undefined : pathOf(page, address);
    if (path !== undefined) return fileMedia(page.folder.root, path);
  }
  return undefined;
}

function templateNotes({ templates }: MarkdownText): readonly string[] {
  return templates.length === 0 ? [] : [`Template tags stay as text: ${templates.join(', ')}.`];
}

function cutNotes({ cutBy }: MarkdownText): readonly string[] {
  return cutBy === undefined
    ? []
    : [`A comment (${cutBy}) has no end. The text after it is left out.`];
}

/** Other programs write an `id` too, and none writes both. */
function writtenIn({ members, path }: Page): SourceArticle['written'] {
  const [id, revision_id] = [textIn(members, 'id'), textIn(members, 'revision_id')];
  return id === '' || revision_id === '' ? undefined : { id, revision_id, file: path };
}

/** Returns the article of a file. @throws a refusal for a text that cannot be parsed */
export async function markdownArticle(
  folder: Folder,
  path: string,
  text: string,
): Promise<SourceArticle> {
  const parsed = await parse('readMarkdown', { text, kind: folder.kind }, folder.parseMs);
  const page = { ...parsed, folder, path };
  const { members, title, body } = page;
  const { used, linked, texts, notes } = await usesOf(page);
  const metadata = metadataOf(page, folder);
  const canonical = textIn(members, 'canonical_url', 'canonicalURL');
  const disclosure = fittedDisclosure(textIn(members, 'authorship_disclosure'));
  const { notes: timeNotes, ...publication } = publicationOf(page);
  return simpleArticle({
    ...publication,
    key: { service: folder.service, id: path },
    title: title || nameParts(path).words.replaceAll(/[-_]+/g, ' '),
    fallbackTitle: path,
    language: textIn(members, 'lang', 'language') || undefined,
    disclosure: disclosure.value,
    canonicalUrl: canonical || null,
    topics: metadata.topics,
    metadata: metadata.kept,
    hashed: metadata.whole,
    origin: { path },
    media: [...new Set(used.map(({ media }) => media))],
    featured: await featuredOf(page),
    notes: [
      ...timeNotes,
      ...draftNotes(page, publication.isPublished || publication.publishedAt !== undefined),
      ...cutNotes(page),
      ...notes,
      ...templateNotes(page),
      ...metadata.notes,
      ...disclosure.notes,
    ],
    sourceText: text,
    written: writtenIn(page),
    linksTo: linksToOf(new Map(linked.map(({ written, id }) => [written, id]))),
    render: async (urlOf, addressOf) => {
      const links = linked.flatMap(({ start, end, id, with: written }) => {
        const url = addressOf(id);
        return url === undefined ? [] : [{ start, end, text: written(url) }];
      });
      const edits = used.flatMap(({ start, end, media, with: written }) => {
        const url = urlOf(media);
        return url === undefined ? [] : [{ start, end, text: written(url) }];
      });
      return applyEdits(body, [...edits, ...links, ...texts]).trim();
    },
  });
}
