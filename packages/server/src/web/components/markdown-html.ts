// Adapts rendered Markdown to a page: unique ids, and links to them.
import type { Direction } from '@colophon/text/lib/writing-direction';

/** Prefixes ids and the links to them with a name. Every id of the renderer begins with `md`. */
export function prefixIds(safe: string, name: string): string {
  return safe.replaceAll(/ (id|href)="(#?)md(?=[-:])/g, ` $1="$2${name}-md`);
}

/** Links whose text has no markup of its own. */
const plainLinks = /<a href="(https?:[^"]*)"( rel="[^"]*")?>([^<]*)<\/a>/g;

/** Marks links whose text is their address: on paper, it is not printed a second time. */
export function markBareLinks(safe: string): string {
  return safe.replaceAll(plainLinks, (link: string, href: string, rel: string, text: string) =>
    text === href || `http://${text}` === href
      ? `<a class="bare" href="${href}"${rel ?? ''}>${text}</a>`
      : link,
  );
}

const boxes = /<input type="checkbox" disabled=""( checked="")?>/g;

/** Boxes of task lists have no label of their own: a screen reader would say only that there is a box. */
function nameBoxes(safe: string): string {
  return safe.replaceAll(boxes, (box: string, checked: string | undefined) =>
    box.replace('>', checked === undefined ? ' aria-label="Not done">' : ' aria-label="Done">'),
  );
}

/** What a page adds to a text: names of boxes, and marks of bare links. */
export function readable(safe: string): string {
  return nameBoxes(markBareLinks(safe));
}

/** Marks a text from right to left for readers outside of the page, which have no style sheet of ours. */
export function withDirection(safe: string, direction: Direction): string {
  return direction === 'ltr' ? safe : `<div dir="rtl">${safe}</div>`;
}

/** Makes links within the text absolute, for readers outside of the page. They may have a prefix already. */
export function absoluteLinks(safe: string, address: string): string {
  return safe.replaceAll(/ href="#(?=(?:\w{1,64}-)?md[-:])/g, ` href="${address}#`);
}
