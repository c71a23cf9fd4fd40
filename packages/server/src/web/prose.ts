// Rendered Markdown fitted into a page: headings below the page's own, ids that no other text has.
import { hash } from 'node:crypto';
import { rendered } from './html.ts';
import type { Html } from './html.ts';
import type { ShortText } from './parts.ts';

const headingTag = /<(\/?)h([1-6])(?=[ >])/g;

/**
 * Moves the headings of a rendered text below a heading of level `above`, and closes the gaps between
 * them: a text that begins with `###` would otherwise skip a level. In what the renderer makes, `<` stands
 * before tags only.
 */
export function outlined(safe: string, above: number): string {
  const open: number[] = [];
  let level = above + 1;
  return safe.replaceAll(headingTag, (_, slash: string, digit: string) => {
    if (slash === '') {
      const own = Number(digit);
      while ((open.at(-1) ?? 0) >= own) open.pop();
      open.push(own);
      level = Math.min(6, above + open.length);
    }
    return `<${slash}h${level}`;
  });
}

/** Ids and what leads to them, with a name in front. The renderer begins each of its own with `md`. */
export function named(safe: string, name: string): string {
  return safe.replaceAll(/ (id|href)="(#?)md(?=[-:])/g, ` $1="$2${name}-md`);
}

/** Leads to places in the text by whole addresses, for readers outside of the page. */
export function placed(safe: string, address: string): string {
  return safe.replaceAll(/ href="#md(?=[-:])/g, ` href="${address}#md`);
}

/** The text of an article, below the title of its page. */
export function articleText(safe: string): Html {
  return rendered(outlined(safe, 1));
}

/** UTF-16 units of HTML that are kept. */
const keptMax = 2_000_000;

/**
 * Renders comments, and keeps what was shown last: a thread is read more often than written. The same text
 * is rendered once, one after the other, so that a page waits for its turn and nobody is turned away.
 */
export function openShortTexts(render: (markdown: string) => Promise<ShortText>) {
  const kept = new Map<string, string>();
  let size = 0;
  let last: Promise<unknown> = Promise.resolve();

  function keep(key: string, safe: string): void {
    if (kept.has(key)) return;
    kept.set(key, safe);
    size += safe.length;
    for (const [oldest, text] of kept) {
      if (size <= keptMax) return;
      kept.delete(oldest);
      size -= text.length;
    }
  }

  async function turn(key: string, markdown: string): Promise<string> {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const text = await render(markdown);
    if (text.kept) keep(key, text.html);
    return text.html;
  }

  return async (markdown: string): Promise<string> => {
    const key = hash('sha256', markdown, 'base64url');
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const made = last.then(() => turn(key, markdown));
    last = made.catch(() => undefined);
    return made;
  };
}
