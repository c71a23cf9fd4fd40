// Rendered Markdown fitted into a page: ids that no other text has, and comments that were rendered before.
import { hash } from 'node:crypto';
import type { ShortText } from './parts.ts';

/** Ids and what leads to them, with a name in front. The renderer begins each of its own with `md`. */
export function named(safe: string, name: string): string {
  return safe.replaceAll(/ (id|href)="(#?)md(?=[-:])/g, ` $1="$2${name}-md`);
}

/** Leads to places in the text by whole addresses, for readers outside of the page. */
export function placed(safe: string, address: string): string {
  return safe.replaceAll(/ href="#md(?=[-:])/g, ` href="${address}#md`);
}

/** Of a comment: the heading of the comments stands above it, and that of the article above this one. */
const belowComments = 3;

/** UTF-16 units of HTML that are kept. */
const keptMax = 2_000_000;

/**
 * Renders comments, and keeps what was shown last: a thread is read more often than written. The same text
 * is rendered once, one after the other, so that a page waits for its turn and nobody is turned away.
 */
export function openShortTexts(render: (markdown: string, below: number) => Promise<ShortText>) {
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

  async function turn(key: string, markdown: string, below: number): Promise<string> {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const text = await render(markdown, below);
    if (text.kept) keep(key, text.html);
    return text.html;
  }

  return async (markdown: string, below = belowComments): Promise<string> => {
    const key = hash('sha256', `${below} ${markdown}`, 'base64url');
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const made = last.then(() => turn(key, markdown, below));
    last = made.catch(() => undefined);
    return made;
  };
}
