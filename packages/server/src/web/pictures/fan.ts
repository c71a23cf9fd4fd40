// The links of an article as a small picture: what links to it on the left, what it links to on the right.
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Edge } from '../page-services.ts';
import { outline } from './graph-picture.ts';
import type { Shape } from './graph-view.ts';
import { classesOf } from './kind-styles.ts';

/** Links drawn on each side. */
const eachMax = 9;
const width = 320;
const gap = 13;
const radius = 5;
/** Between the middle and the nodes of a side. */
const reach = 120;

function shapeOf({ article, dst_uri }: Edge): Shape {
  if (article === null) return dst_uri === null ? 'gone' : 'address';
  return article.author?.kind ?? 'gone';
}

function side(edges: readonly Edge[], sign: 1 | -1, middle: { x: number; y: number }): Content {
  const first = middle.y - ((edges.length - 1) * gap) / 2;
  return edges.map((edge, index) => {
    const y = first + index * gap;
    // The nodes of a side lie on a bow.
    const x = Math.round(middle.x + sign * (reach - Math.abs(y - middle.y) * 0.35));
    const from = `M${middle.x + sign * 12} ${middle.y}`;
    const way = `C${middle.x + sign * 55} ${middle.y} ${x - sign * 45} ${y} ${x - sign * radius} ${y}`;
    return html`<g class="e"><path class="${classesOf(edge.kind)}" d="${from}${way}"/></g><g class="n ${shapeOf(edge)}">${outline(shapeOf(edge), { x, y }, radius)}</g>
`;
  });
}

/** Returns the picture. It is an ornament: the list beside it says the same and more. */
export function fan(
  kind: 'human' | 'agent',
  { out, in: incoming }: { readonly out: readonly Edge[]; readonly in: readonly Edge[] },
): Html {
  const [right, left] = [out.slice(0, eachMax), incoming.slice(0, eachMax)];
  const height = Math.max(right.length, left.length, 2) * gap + 10;
  const middle = { x: width / 2, y: height / 2 };
  return html`<svg class="fan" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">
${side(left, -1, middle)}${side(right, 1, middle)}<g class="n ${kind} middle">${outline(kind, middle, 9)}</g></svg>`;
}
