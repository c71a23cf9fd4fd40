// Places the nodes, labels and words of a graph on a plane: the same graph always gets the same places. Pure.
import { forceCollide, forceLink, forceManyBody, forceRadial, forceSimulation } from 'd3-force';
import type { SimulationLinkDatum, SimulationNodeDatum } from 'd3-force';
import { positionLabels } from './label-positions.ts';
import type { Box, Point } from './label-positions.ts';

/** Width and height of a text, in units of the picture; zero where there is no text. */
export interface TextSize {
  readonly width: number;
  readonly height: number;
}

export interface LayoutNode {
  /** Steps from the node in the middle, which is the first one and has 0. */
  readonly depth: number;
  readonly radius: number;
  readonly label: TextSize;
}

/** From one node to another, both by their position in the list. */
export interface LayoutEdge {
  readonly from: number;
  readonly to: number;
  readonly word: TextSize;
}

/** What a layout depends on, and nothing else. */
export interface LayoutTask {
  readonly nodes: readonly LayoutNode[];
  readonly edges: readonly LayoutEdge[];
}

export interface PlacedNode extends Point {
  /** The middle of its label; null where there is no room for one. */
  readonly label: Point | null;
}

/** A curve from the border of a node to the border of another one. */
export interface PlacedEdge {
  readonly start: Point;
  readonly bend: Point;
  readonly end: Point;
  /** The middle of its word; null where there is no room for it. */
  readonly word: Point | null;
}

export interface Layout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  /** What the picture shows: its left upper corner, width and height. */
  readonly box: Box;
}

/** Steps of the forces: fewer for a large graph, whose first places are close to the last ones. */
const ticks = { few: 200, many: 60 } as const;
/** Nodes above which a graph is dense. */
const denseAbove = 60;
/** Between two rings of nodes. */
const ringGap = 118;
/** Room of a node along its ring. */
const ringRoom = 30;
/** The picture is at least this large. */
const least = { width: 340, height: 240 } as const;
const margin = 18;
/** Between the border of a node and the tip of an arrow. */
const tipGap = 4;
/** How far the curves of several edges between two nodes are apart. */
const bendGap = 26;

interface Body extends SimulationNodeDatum {
  readonly radius: number;
  readonly depth: number;
  x: number;
  y: number;
}

/** Returns for each node its neighbours one step closer to the middle come first: the nodes that hang on it. */
function childrenOf({ nodes, edges }: LayoutTask): readonly (readonly number[])[] {
  const children: number[][] = nodes.map(() => []);
  const hung = new Set<number>();
  const hang = (above: number, below: number) => {
    if (nodes[below]?.depth !== (nodes[above]?.depth ?? 0) + 1 || hung.has(below)) return;
    hung.add(below);
    children[above]?.push(below);
  };
  for (const { from, to } of edges) {
    hang(from, to);
    hang(to, from);
  }
  return children;
}

/** Returns the radius of each ring: wide enough for its nodes, and away from the one inside. */
function ringsOf({ nodes }: LayoutTask): readonly number[] {
  const counts = new Map<number, number>();
  for (const { depth } of nodes) counts.set(depth, (counts.get(depth) ?? 0) + 1);
  const rings = [0];
  for (let depth = 1; counts.has(depth); depth += 1) {
    // Half of what a single line of nodes would need: a full ring becomes a band.
    const needed = ((counts.get(depth) ?? 0) * ringRoom) / (2 * Math.PI) / 1.6;
    rings.push(Math.max((rings[depth - 1] ?? 0) + ringGap, needed));
  }
  return rings;
}

/** Gives each node a sector of its ring, as wide as what hangs on it: few edges cross from the beginning. */
function startAngles(task: LayoutTask): readonly number[] {
  const children = childrenOf(task);
  const leaves: number[] = task.nodes.map(() => 1);
  for (let index = task.nodes.length - 1; index >= 0; index -= 1) {
    const below = children[index] ?? [];
    if (below.length > 0)
      leaves[index] = below.reduce((sum, child) => sum + (leaves[child] ?? 1), 0);
  }
  const angles: number[] = task.nodes.map(() => 0);
  const spread = (index: number, from: number, to: number) => {
    angles[index] = (from + to) / 2;
    let at = from;
    for (const child of children[index] ?? []) {
      const width = ((to - from) * (leaves[child] ?? 1)) / (leaves[index] ?? 1);
      spread(child, at, at + width);
      at += width;
    }
  };
  // From above, so that a pair of nodes lies side by side.
  spread(0, -Math.PI / 2, 1.5 * Math.PI);
  // A little aside, or three nodes in a row would stay in it, and an edge of the outer ones would cross the inner one.
  return angles.map((angle, index) => angle + ((index % 3) - 1) * 0.12);
}

/** Lets the forces work for a fixed number of steps. The library draws from a generator with a fixed seed. */
function settle(task: LayoutTask): readonly Body[] {
  const rings = ringsOf(task);
  const angles = startAngles(task);
  const ringOf = (depth: number) => rings[depth] ?? 0;
  const bodies = task.nodes.map(({ depth, radius }, index): Body => {
    const angle = angles[index] ?? 0;
    const [x, y] = [ringOf(depth) * Math.cos(angle), ringOf(depth) * Math.sin(angle)];
    return { depth, radius, x, y, ...(index === 0 ? { fx: 0, fy: 0 } : {}) };
  });
  const links = task.edges.map(({ from, to }) => ({ source: from, target: to }));
  const isDense = bodies.length > denseAbove;
  const steps = isDense ? ticks.many : ticks.few;
  forceSimulation<Body, SimulationLinkDatum<Body>>(bodies)
    .alphaDecay(1 - 0.001 ** (1 / steps))
    .force(
      'link',
      forceLink(links)
        .distance(ringGap * 0.9)
        .strength(isDense ? 0.03 : 0.08),
    )
    .force(
      'apart',
      forceManyBody<Body>()
        .strength(isDense ? -60 : -220)
        .distanceMax(260),
    )
    .force('rings', forceRadial<Body>(({ depth }) => ringOf(depth)).strength(0.35))
    .force(
      'collide',
      forceCollide<Body>(({ radius }) => radius + (isDense ? 5 : 14)).iterations(isDense ? 1 : 2),
    )
    .stop()
    .tick(steps);
  return bodies;
}

/** A point in whole units: half of one is not seen, and a decimal of each would be a third of the picture's bytes. */
const pointOf = (x: number, y: number): Point => ({ x: Math.round(x), y: Math.round(y) });

/** Returns the point at a distance from the first point, in the direction of the second. */
function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const share = Math.min(distance / length, 0.45);
  return pointOf(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
}

/** Returns how far the middle of an edge is moved aside, by its place among those between the same nodes. */
function bendsOf(edges: LayoutTask['edges']): readonly number[] {
  const pairOf = ({ from, to }: LayoutEdge) => `${Math.min(from, to)} ${Math.max(from, to)}`;
  const totals = Map.groupBy(edges, pairOf);
  const seen = new Map<string, number>();
  return edges.map((edge) => {
    const pair = pairOf(edge);
    const place = seen.get(pair) ?? 0;
    seen.set(pair, place + 1);
    const bend = (place - ((totals.get(pair)?.length ?? 1) - 1) / 2) * bendGap;
    return edge.from < edge.to ? bend : -bend;
  });
}

/** Returns how far a node is from the straight line between two others, with its sign; undefined if it is not beside it. */
function besides(from: Body, to: Body, node: Body): number | undefined {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const along = ((node.x - from.x) * dx + (node.y - from.y) * dy) / length;
  if (along < 0 || along > length) return undefined;
  return ((node.y - from.y) * dx - (node.x - from.x) * dy) / length;
}

/** Moves the middle of an edge aside if a node is in its way. In a dense graph there is no room for that. */
function aroundNodes(
  bodies: readonly Body[],
  [from, to]: readonly [Body, Body],
  bend: number,
): number {
  if (bend !== 0 || bodies.length > denseAbove) return bend;
  for (const node of bodies) {
    if (node === from || node === to) continue;
    const far = besides(from, to, node);
    if (far === undefined || Math.abs(far) > node.radius + 4) continue;
    const clear = node.radius + 16 - Math.abs(far);
    return far > 0 ? -clear : clear;
  }
  return bend;
}

function curveOf(from: Body, to: Body, bend: number): Omit<PlacedEdge, 'word'> {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const middle = pointOf(
    (from.x + to.x) / 2 - (dy / length) * bend * 2,
    (from.y + to.y) / 2 + (dx / length) * bend * 2,
  );
  return {
    start: towards(from, middle, from.radius + 1),
    bend: middle,
    end: towards(to, middle, to.radius + tipGap),
  };
}

/** Returns the smallest box around the nodes and texts, with a margin, and not smaller than the least. */
function boxOf(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(({ x }) => x)) - margin;
  const top = Math.min(...boxes.map(({ y }) => y)) - margin;
  const width = Math.max(...boxes.map((box) => box.x + box.width)) + margin - left;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) + margin - top;
  const [more, higher] = [Math.max(0, least.width - width), Math.max(0, least.height - height)];
  return {
    x: Math.floor(left - more / 2),
    y: Math.floor(top - higher / 2),
    width: Math.ceil(width + more),
    height: Math.ceil(height + higher),
  };
}

/** Lays a graph out. The first node is in the middle, the others on rings around it by their depth. */
export function layOutGraph(task: LayoutTask): Layout {
  const bodies = settle(task);
  const bends = bendsOf(task.edges);
  const curves = task.edges.map(({ from, to }, index) => {
    const [one, other] = [bodies[from], bodies[to]];
    if (one === undefined || other === undefined) throw new Error('An edge names no node.');
    return curveOf(one, other, aroundNodes(bodies, [one, other], bends[index] ?? 0));
  });
  const { labels, words, boxes } = positionLabels(
    bodies.map(({ x, y, radius }, index) => ({
      x,
      y,
      radius,
      size: task.nodes[index]?.label ?? { width: 0, height: 0 },
    })),
    curves.map((curve, index) => ({
      ...curve,
      size: task.edges[index]?.word ?? { width: 0, height: 0 },
    })),
  );
  return {
    nodes: bodies.map(({ x, y }, index) => ({ ...pointOf(x, y), label: labels[index] ?? null })),
    edges: curves.map((curve, index) => ({ ...curve, word: words[index] ?? null })),
    box: boxOf(boxes),
  };
}
