// Finds room for the labels of nodes and the words of edges, so that no text covers a node or another text. Pure.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Labelled extends Point {
  readonly radius: number;
  readonly size: Size;
}

interface Worded {
  readonly start: Point;
  readonly bend: Point;
  readonly end: Point;
  readonly size: Size;
}

/** Between a node and its label. */
const gap = 5;
/** Nearer than this to a node that is not its own, a label seems to name that one. */
const strangerGap = 10;
/** What that costs, in covered points of lines. */
const strangerCost = 5;
/** Points of an edge that a label should not cover. */
const sampled = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95] as const;
/** Where a word may be on its edge, the best place first. */
const shares = [0.5, 0.38, 0.62, 0.28] as const;

const overlaps = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const around = ({ x, y }: Point, { width, height }: Size): Box => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

const roundToTenth = ({ x, y }: Point): Point => ({
  x: Math.round(x * 10) / 10,
  y: Math.round(y * 10) / 10,
});

/** Returns the places of a label, the best one first: below, above, beside, and at the corners. */
function placesAround({ x, y, radius, size }: Labelled): readonly Point[] {
  const across = radius + gap + size.width / 2;
  const along = radius + gap + size.height / 2;
  const corner = radius * 0.7 + size.width / 2;
  return [
    { x, y: y + along },
    { x, y: y - along },
    { x: x + across, y },
    { x: x - across, y },
    { x: x + corner, y: y + along },
    { x: x - corner, y: y + along },
    { x: x + corner, y: y - along },
    { x: x - corner, y: y - along },
  ];
}

/** Returns the point of a curve at a share of its way. */
function pointOn({ start, bend, end }: Worded, share: number): Point {
  const rest = 1 - share;
  const mix = (one: number, two: number, three: number) =>
    rest * rest * one + 2 * rest * share * two + share * share * three;
  return { x: mix(start.x, bend.x, end.x), y: mix(start.y, bend.y, end.y) };
}

/** Points of the lines in squares, so that those in a box are found quickly. */
function openLines(edges: readonly Worded[]) {
  const side = 24;
  const squares = new Map<string, Point[]>();
  const nameOf = (column: number, row: number) => `${column} ${row}`;
  for (const edge of edges) {
    for (const share of sampled) {
      const point = pointOn(edge, share);
      const name = nameOf(Math.floor(point.x / side), Math.floor(point.y / side));
      squares.set(name, [...(squares.get(name) ?? []), point]);
    }
  }
  /** Returns how many points of lines a box covers. */
  return ({ x, y, width, height }: Box): number => {
    let count = 0;
    for (let column = Math.floor(x / side); column <= (x + width) / side; column += 1) {
      for (let row = Math.floor(y / side); row <= (y + height) / side; row += 1) {
        for (const point of squares.get(nameOf(column, row)) ?? []) {
          const isAcross = point.x > x && point.x < x + width;
          if (isAcross && point.y > y && point.y < y + height) count += 1;
        }
      }
    }
    return count;
  };
}

/**
 * Returns the middle of each label and each word, null where there is no room. Nodes come first, in their
 * order: the nearest ones are labelled. A label is where it covers the fewest lines and is beside no other node.
 */
export function positionLabels(nodes: readonly Labelled[], edges: readonly Worded[]) {
  const bodies = nodes.map((node) =>
    around(node, { width: 2 * node.radius, height: 2 * node.radius }),
  );
  const boxes: Box[] = [...bodies];
  const linesIn = openLines(edges);
  const isFree = (box: Box) => !boxes.some((other) => overlaps(box, other));
  const take = (places: readonly Point[], size: Size, cost: (box: Box) => number): Point | null => {
    if (size.width === 0) return null;
    let best: { readonly place: Point; readonly box: Box; readonly cost: number } | undefined;
    for (const place of places) {
      const box = around(place, size);
      if (!isFree(box)) continue;
      const spent = cost(box);
      if (best === undefined || spent < best.cost) best = { place, box, cost: spent };
      if (spent === 0) break;
    }
    if (best === undefined) return null;
    boxes.push(best.box);
    return roundToTenth(best.place);
  };
  const labels = nodes.map((node, own) =>
    take(placesAround(node), node.size, (box) => {
      const near = grown(box, strangerGap);
      const strangers = bodies.filter((body, index) => index !== own && overlaps(near, body));
      return linesIn(box) + strangerCost * strangers.length;
    }),
  );
  const words = edges.map((edge) =>
    take(
      shares.map((share) => pointOn(edge, share)),
      edge.size,
      () => 0,
    ),
  );
  return { labels, words, boxes };
}
