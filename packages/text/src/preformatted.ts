// Shows a text that cannot be rendered as it was written.
import { escapeAttribute } from './lib/escape.ts';
import { piecesOf } from './lib/text-pieces.ts';

/** UTF-16 units of HTML. An escaped character may take six. */
const escapedMax = 2 * 1024 * 1024;
const leftOut =
  '\n\n[This page does not show the rest. The Markdown of the article contains the whole text.]';

/** Returns HTML that shows a text as it was written, cut where it becomes too long. */
export function preformat(markdown: string): string {
  let shown = '';
  for (const piece of piecesOf(markdown)) {
    const html = escapeAttribute(piece);
    if (shown.length + html.length > escapedMax) {
      shown += leftOut;
      break;
    }
    shown += html;
  }
  return `<pre class="plain">${shown}</pre>\n`;
}
