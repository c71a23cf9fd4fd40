// Marks the quotations of a rendered comment that are no longer in the article.
import { html, textOf } from '../html.ts';
import type { ChangedSince } from '../page-services.ts';
import { withQuery } from '../site.ts';

const quoteTag = /<(\/?)blockquote(?=[ >])[^>]*>/g;

/** Adds a note behind the outermost quotes at these positions. In the output of the renderer, `<` stands only in tags. */
function afterQuotes(safe: string, quotes: readonly number[], note: string): string {
  let depth = 0;
  let at = -1;
  return safe.replaceAll(quoteTag, (tag, slash: string) => {
    if (slash === '') {
      if (depth === 0) at += 1;
      depth += 1;
      return tag;
    }
    depth -= 1;
    return depth === 0 && quotes.includes(at) ? `${tag}\n${note}` : tag;
  });
}

/** Returns the comment with its changed quotations marked. `path` is that of the article, `now` its revision. */
export function withChangedQuotes(
  safe: string,
  changed: ChangedSince | undefined,
  { path, now }: { readonly path: string; readonly now: string },
): string {
  if (changed === undefined) return safe;
  const since = withQuery(`${path}/revisions`, { from: changed.revision_id, to: now });
  const note = html`<p class="quoted-before">The article has changed since: this passage is no longer in it. <a href="${since}#changes">What changed</a></p>`;
  return afterQuotes(safe, changed.quotes, textOf(note));
}
