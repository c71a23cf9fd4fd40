// The HTML of WordPress as plain HTML: paragraphs of the classic editor, and the shortcodes of WordPress itself.
import { replacePairs } from './paired.ts';
import type { Pair, Pairs } from './paired.ts';

/** Elements in which neither paragraphs nor shortcodes are read. */
const verbatim: Pairs = {
  opening: /<(pre|code|script|style|textarea)\b[^<>]*>/gi,
  closingOf: ([, name = '']) => elementEnds[name.toLowerCase()] ?? never,
};
const elementEnds: Readonly<Record<string, RegExp>> = {
  pre: /<\/pre>/gi,
  code: /<\/code>/gi,
  script: /<\/script>/gi,
  style: /<\/style>/gi,
  textarea: /<\/textarea>/gi,
};
const never = /(?!)/g;
const comments: Pairs = { opening: /<!(?=--)/g, closingOf: () => commentEnd };
const commentEnd = /-->/g;

const blockTags =
  'address|article|aside|blockquote|details|div|dl|fieldset|figure|form|h[1-6]|header|hr|iframe|ol|p|pre|section|table|ul|video|audio';
const startsBlock = new RegExp(String.raw`^<\/?(?:${blockTags})\b`, 'i');

/** Line breaks of the classic editor are paragraphs and breaks (wpautop). */
function paragraphs(html: string): string {
  const kept: string[] = [];
  const marked = replacePairs(html, verbatim, ({ inner, whole }) =>
    inner === undefined ? undefined : `\uE000${kept.push(whole) - 1}\uE001`,
  );
  const blocks = marked.split(/\n\s*\n/).map((block) => {
    const text = block.trim();
    if (text === '' || startsBlock.test(text)) return text;
    return `<p>${text.replaceAll('\n', '<br>\n')}</p>`;
  });
  return blocks
    .join('\n\n')
    .replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => kept[Number(index)] ?? '');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g)];
  return Object.fromEntries(
    found.map(([, name = '', a, b, c]) => [name.toLowerCase(), a ?? b ?? c ?? '']),
  );
}

export interface Attachment {
  readonly url: string;
  readonly alt: string;
}

/** The address of an attachment by its id. */
export type AttachmentOf = (id: string) => Attachment | undefined;

type Shortcode = (
  given: { readonly attributes: Readonly<Record<string, string>>; readonly content: string },
  attachmentOf: AttachmentOf,
) => string;

const caption: Shortcode = ({ attributes, content }) => {
  const [whole, image = '', text = ''] =
    /^([\s\S]*?<img\b[^<>]*>(?:\s*<\/a>)?)([\s\S]*)$/i.exec(content) ?? [];
  if (whole === undefined) return content;
  const words = text.trim() === '' ? (attributes['caption'] ?? '') : text.trim();
  return `\n\n<figure>${image.trim()}<figcaption>${words}</figcaption></figure>\n\n`;
};

const gallery: Shortcode = ({ attributes }, attachmentOf) => {
  const ids = (attributes['ids'] ?? attributes['include'] ?? '').split(/[\s,]+/);
  const images = ids.flatMap((id) => attachmentOf(id) ?? []);
  return `\n\n${images.map(({ url, alt }) => `<p><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"></p>`).join('\n')}\n\n`;
};

const player: Shortcode = ({ attributes }) => {
  const names = ['src', 'mp4', 'webm', 'mp3', 'ogg', 'wav', 'm4a', 'flac'];
  const address = names.map((name) => attributes[name]).find((value) => value !== undefined) ?? '';
  return `\n\n<p><a href="${escapeHtml(address)}">${escapeHtml(address)}</a></p>\n\n`;
};

const embed: Shortcode = ({ content, attributes }) => {
  const address = escapeHtml(content.trim() === '' ? (attributes['src'] ?? '') : content.trim());
  return `\n\n<p><a href="${address}">${address}</a></p>\n\n`;
};

const shortcodes: Readonly<Record<string, Shortcode>> = {
  caption,
  wp_caption: caption,
  gallery,
  audio: player,
  video: player,
  embed,
};

const shortcodeEnds: Readonly<Record<string, RegExp>> = {
  caption: /\[\/caption\]/g,
  wp_caption: /\[\/wp_caption\]/g,
  gallery: /\[\/gallery\]/g,
  audio: /\[\/audio\]/g,
  video: /\[\/video\]/g,
  embed: /\[\/embed\]/g,
};
const codes: Pairs = {
  opening: /\[(caption|wp_caption|gallery|audio|video|embed)\b([^[\]]*)\]/g,
  closingOf: ([, name = '']) => shortcodeEnds[name] ?? never,
};

/** Names of shortcodes of plug-ins: with attributes, or with an end. */
const otherPattern = /\[([a-z][\w-]{2,})(?:\s+[\w-]+=[^[\]]*)\]|\[\/([a-z][\w-]{2,})\]/g;

export interface PlainHtml {
  readonly html: string;
  /** Names of shortcodes that stay in the text. */
  readonly shortcodes: readonly string[];
}

/** Returns HTML without block comments and shortcodes of WordPress. */
export function plainHtml(content: string, attachmentOf: AttachmentOf): PlainHtml {
  const unix = content.replaceAll('\r\n', '\n');
  const hasBlocks = unix.includes('<!-- wp:');
  const bare = replacePairs(unix, comments, ({ inner }) => (inner === undefined ? undefined : ''));
  const others = new Set<string>();
  const withoutCodes = (text: string) => {
    const done = replacePairs(text, codes, ({ opened, inner = '', whole }) => {
      const [, name = '', attributes = ''] = opened;
      const given = { attributes: attributesOf(attributes), content: inner };
      return shortcodes[name]?.(given, attachmentOf) ?? whole;
    });
    for (const [, a, b] of done.matchAll(otherPattern)) others.add(a ?? b ?? '');
    return done;
  };
  const kept = ({ inner, whole }: Pair) => (inner === undefined ? undefined : whole);
  const replaced = replacePairs(bare, verbatim, kept, withoutCodes);
  return { html: hasBlocks ? replaced : paragraphs(replaced), shortcodes: [...others] };
}
