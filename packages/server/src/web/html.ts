// HTML by templates: every value is escaped, unless it is itself the HTML of a template.
import { html as fill } from 'ghtml';

const made = Symbol('html');

/** HTML that was made here. Nothing else gets into a page as it is. */
export interface Html {
  readonly [made]: string;
}

/** What a template takes; nothing, null and false leave no trace. */
export type Content = string | number | Html | null | undefined | false | readonly Content[];

function isHtml(content: object): content is Html {
  return made in content;
}

function escaped(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (typeof content !== 'object') return fill`${content}`;
  return isHtml(content) ? content[made] : content.map(escaped).join('');
}

/**
 * A template. ghtml escapes what stands between quotes or tags; it lets through what has a `!` before it,
 * be it the end of a sentence, so that types decide here and no mark does.
 */
export function html(literals: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { [made]: String.raw({ raw: literals }, ...contents.map(escaped)) };
}

/** The text of HTML, to be sent. */
export function textOf(content: Html): string {
  return content[made];
}

/** What the renderer of Markdown made: the only HTML from elsewhere. It is safe in any page. */
export function rendered(safe: string): Html {
  return { [made]: safe };
}

/** A record for machines (JSON-LD). No text in it can end the element. */
export function jsonBlock(record: unknown): Html {
  const text = JSON.stringify(record)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('&', String.raw`\u0026`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
  return { [made]: `<script type="application/ld+json">${text}</script>` };
}
