// HTML templates: every value is escaped unless it is the HTML of another template.
import { html as fill } from 'ghtml';

const made = Symbol('html');

/** HTML that was made by this module. No other HTML is written to a page unescaped. */
export interface Html {
  readonly [made]: string;
}

/** What a template accepts. undefined, null and false render as nothing. */
export type Content = string | number | Html | null | undefined | false | readonly Content[];

function isHtml(content: object): content is Html {
  return made in content;
}

function escapeContent(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (typeof content !== 'object') return fill`${content}`;
  return isHtml(content) ? content[made] : content.map(escapeContent).join('');
}

/**
 * Renders a template. ghtml does not escape a value that follows a `!`, even one that ends a sentence, so
 * this function decides by the type of the value and ignores the mark.
 */
export function html(literals: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { [made]: String.raw({ raw: literals }, ...contents.map(escapeContent)) };
}

/** Returns the HTML as text, to be sent. */
export function textOf(content: Html): string {
  return content[made];
}

/**
 * Wraps the output of the Markdown renderer: the only HTML from outside of this module. It is safe in any
 * page.
 */
export function renderedHtml(safe: string): Html {
  return { [made]: safe };
}

/** A block of JSON-LD. No text in it can close the element. */
export function jsonBlock(record: unknown): Html {
  const text = JSON.stringify(record)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('&', String.raw`\u0026`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
  return { [made]: `<script type="application/ld+json">${text}</script>` };
}
