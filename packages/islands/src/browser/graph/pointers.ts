// The picture of a graph under pointers: the wheel and two fingers zoom it, and one pointer moves it while it is zoomed.
import { frameOf, pointAt, setFrame, zoom } from './frame.ts';
import type { Point } from './frame.ts';
import { nodeAt, picture } from './parts.ts';

/** Where the pointers are that are down on the picture, in the window. */
const down = new Map<number, Point>();
/** Whether one pointer alone moves the picture: not from a node on, which is a link. */
let isDrag = false;

/** Returns the picture where an event is on it. */
function pictureAt(target: EventTarget | null): SVGSVGElement | undefined {
  const svg = picture();
  return svg !== null && target instanceof Node && svg.contains(target) ? svg : undefined;
}

/** Moves the picture so that what is below one point of the window comes to be below another. */
function move(svg: SVGSVGElement, from: Point, to: Point): void {
  const [before, after] = [pointAt(svg, from), pointAt(svg, to)];
  const frame = frameOf(svg);
  setFrame(svg, { ...frame, x: frame.x + before.x - after.x, y: frame.y + before.y - after.y });
}

const middleOf = (one: Point, other: Point): Point => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
});
/** At least 1, so that fingers that meet do not zoom without end. */
const distanceOf = (one: Point, other: Point) =>
  Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));

/** One of two fingers moved: what is between them stays there, and grows as they part. */
function pinch(svg: SVGSVGElement, other: Point, from: Point, to: Point): void {
  const before = middleOf(other, from);
  zoom(svg, distanceOf(other, to) / distanceOf(other, from), pointAt(svg, before));
  move(svg, before, middleOf(other, to));
}

document.addEventListener('pointerdown', ({ target, pointerId, clientX, clientY }) => {
  const svg = pictureAt(target);
  if (svg === undefined) return;
  if (down.size === 0) isDrag = svg.classList.contains('zoomed') && nodeAt(target) === null;
  down.set(pointerId, { x: clientX, y: clientY });
});

document.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
  const [svg, from] = [picture(), down.get(pointerId)];
  if (svg === null || from === undefined) return;
  const to = { x: clientX, y: clientY };
  const [other, ...more] = [...down].flatMap(([id, at]) => (id === pointerId ? [] : [at]));
  if (other === undefined) {
    if (isDrag) move(svg, from, to);
  } else if (more.length === 0) pinch(svg, other, from, to);
  down.set(pointerId, to);
});

for (const end of ['pointerup', 'pointercancel'] as const)
  document.addEventListener(end, ({ pointerId }) => down.delete(pointerId));

document.addEventListener(
  'wheel',
  (event) => {
    const svg = pictureAt(event.target);
    // A wheel alone scrolls the page, and so does one finger; with the control key it zooms.
    if (svg === undefined || !event.ctrlKey) return;
    event.preventDefault();
    zoom(svg, Math.exp(-event.deltaY / 200), pointAt(svg, { x: event.clientX, y: event.clientY }));
  },
  { passive: false },
);

const followed = new WeakSet<SVGSVGElement>();

/**
 * Keeps the browser from zooming or scrolling the page with two fingers that are on the picture: it would take the
 * pointers away. On the picture alone, because such a listener delays scrolling.
 */
export function takeFingers(svg: SVGSVGElement): void {
  if (followed.has(svg)) return;
  followed.add(svg);
  const take = (event: TouchEvent) => {
    if (event.touches.length > 1) event.preventDefault();
  };
  svg.addEventListener('touchstart', take, { passive: false });
  svg.addEventListener('touchmove', take, { passive: false });
}
