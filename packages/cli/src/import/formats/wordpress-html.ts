// The HTML of WordPress as plain HTML: paragraphs of the classic editor, and the shortcodes of WordPress itself.

/** Texts in which neither paragraphs nor shortcodes are read. */
const verbatim = /<(pre|code|script|style|textarea)\b[^>]*>[\s\S]*?<\/\1>/gi;

/** Applies `change` to everything outside verbatim elements. */
function outsideVerbatim(html: string, change: (text: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (const match of html.matchAll(verbatim)) {
    parts.push(change(html.slice(at, match.index)), match[0]);
    at = match.index + match[0].length;
  }
  parts.push(change(html.slice(at)));
  return parts.join('');
}

const blockTags =
  'address|article|aside|blockquote|details|div|dl|fieldset|figure|form|h[1-6]|header|hr|iframe|ol|p|pre|section|table|ul|video|audio';
const startsBlock = new RegExp(String.raw`^<\/?(?:${blockTags})\b`, 'i');

/** Line breaks of the classic editor are paragraphs and breaks (wpautop). */
function paragraphs(html: string): string {
  const kept: string[] = [];
  const keep = (text: string) => `\uE000${kept.push(text) - 1}\uE001`;
  const marked = html.replaceAll(verbatim, keep);
  const blocks = marked.split(/\n\s*\n/).map((block) => {
    const text = block.trim();
    if (text === '' || startsBlock.test(text)) return text;
    return `<p>${text.replaceAll('\n', '<br>\n')}</p>`;
  });
  return blocks
    .join('\n\n')
    .replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => kept[Number(index)] ?? '');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g)];
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
    /^([\s\S]*?<img\b[^>]*>(?:\s*<\/a>)?)([\s\S]*)$/i.exec(content) ?? [];
  if (whole === undefined) return content;
  const words = text.trim() === '' ? (attributes['caption'] ?? '') : text.trim();
  return `\n\n<figure>${image.trim()}<figcaption>${words}</figcaption></figure>\n\n`;
};

const gallery: Shortcode = ({ attributes }, attachmentOf) => {
  const ids = (attributes['ids'] ?? attributes['include'] ?? '').split(/[\s,]+/);
  const images = ids.flatMap((id) => attachmentOf(id) ?? []);
  return `\n\n${images.map(({ url, alt }) => `<p><img src="${escaped(url)}" alt="${escaped(alt)}"></p>`).join('\n')}\n\n`;
};

const player: Shortcode = ({ attributes }) => {
  const names = ['src', 'mp4', 'webm', 'mp3', 'ogg', 'wav', 'm4a', 'flac'];
  const address = names.map((name) => attributes[name]).find((value) => value !== undefined) ?? '';
  return `\n\n<p><a href="${escaped(address)}">${escaped(address)}</a></p>\n\n`;
};

const embed: Shortcode = ({ content, attributes }) => {
  const address = escaped(content.trim() === '' ? (attributes['src'] ?? '') : content.trim());
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

const codePattern =
  /\[(caption|wp_caption|gallery|audio|video|embed)\b([^\]]*)\](?:([\s\S]*?)\[\/\1\])?/g;

/** Names of shortcodes of plug-ins: with attributes, or with an end. */
const otherPattern = /\[([a-z][\w-]{2,})(?:\s+[\w-]+=[^\]]*)\]|\[\/([a-z][\w-]{2,})\]/g;

export interface PlainHtml {
  readonly html: string;
  /** Names of shortcodes that stay in the text. */
  readonly shortcodes: readonly string[];
}

/** Returns HTML without block comments and shortcodes of WordPress. */
export function plainHtml(content: string, attachmentOf: AttachmentOf): PlainHtml {
  const unix = content.replaceAll('\r\n', '\n');
  const hasBlocks = unix.includes('<!-- wp:');
  const bare = unix.replaceAll(/<!--[\s\S]*?-->/g, '');
  const others = new Set<string>();
  const replaced = outsideVerbatim(bare, (text) => {
    const done = text.replaceAll(
      codePattern,
      (whole, name: string, attributes: string, inner: string | undefined) => {
        const given = { attributes: attributesOf(attributes), content: inner ?? '' };
        return shortcodes[name]?.(given, attachmentOf) ?? whole;
      },
    );
    for (const [, a, b] of done.matchAll(otherPattern)) others.add(a ?? b ?? '');
    return done;
  });
  return { html: hasBlocks ? replaced : paragraphs(replaced), shortcodes: [...others] };
}
