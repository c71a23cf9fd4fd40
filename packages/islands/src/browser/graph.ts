// The picture of a graph: a walk by keyboard, zoom, and what the chosen node is.
import { all } from './elements.ts';
import { frameOf, setFrame, wholeOf, zoom } from './graph/frame.ts';
import type { Point } from './graph/frame.ts';
import { nodeAt, picture } from './graph/parts.ts';
import { takeFingers } from './graph/pointers.ts';

const byId = (id: string) => document.getElementById(id);
const nodesOf = (svg: SVGSVGElement) => [...svg.querySelectorAll<SVGGElement>('.n')];
const indexOf = (node: Element) => Number(/\d+$/.exec(node.id)?.[0]);
const dotOf = (index: number) => document.querySelector<SVGGElement>(`#dot-${index}`);

/** Returns the middle of the outline of a node. */
function middleOf(node: SVGGElement): Point {
  const { x, y, width, height } = (node.firstElementChild as SVGGraphicsElement).getBBox();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Moves the frame so that a node is inside of it. */
function reveal(svg: SVGSVGElement, node: SVGGElement): void {
  const frame = frameOf(svg);
  const { x, y } = middleOf(node);
  const [across, down] = [frame.width * 0.15, frame.height * 0.15];
  const isInside =
    x > frame.x + across &&
    x < frame.x + frame.width - across &&
    y > frame.y + down &&
    y < frame.y + frame.height - down;
  if (!isInside) setFrame(svg, { ...frame, x: x - frame.width / 2, y: y - frame.height / 2 });
}

/** Returns the lines and words of the edges, each with the nodes at its ends: their group names them in its order. */
function linesOf(svg: SVGSVGElement) {
  return [...svg.querySelectorAll<SVGGElement>('[data-ends]')].flatMap(({ children, dataset }) => {
    const ends = (dataset['ends'] ?? '').split(',').map((pair) => pair.split(' ').map(Number));
    return [...children].map((line, index) => ({ line, ends: ends[index] ?? [] }));
  });
}

/** Marks a node, its edges and its neighbours; nothing where it is undefined. */
function mark(svg: SVGSVGElement, node: SVGGElement | undefined): void {
  const index = node === undefined ? -1 : indexOf(node);
  const near = new Set([index]);
  for (const { line, ends } of linesOf(svg)) {
    const isOn = ends.includes(index);
    line.classList.toggle('on', isOn);
    if (isOn) for (const end of ends) near.add(end);
  }
  for (const one of nodesOf(svg)) one.classList.toggle('on', near.has(indexOf(one)));
  svg.classList.toggle('walking', node !== undefined);
}

/** Shows below the picture what the list says of a node. */
function describe(node: SVGGElement | undefined): void {
  const panel = byId('graph-chosen');
  if (panel === null) return;
  panel.hidden = node === undefined;
  if (node === undefined) return;
  const item = byId(`node-${indexOf(node)}`);
  const copy = item?.cloneNode(true);
  if (copy instanceof Element) copy.removeAttribute('id');
  panel.replaceChildren(...(copy?.childNodes ?? [node.getAttribute('aria-label') ?? '']));
}

function show(svg: SVGSVGElement, node: SVGGElement | undefined): void {
  mark(svg, node);
  describe(node);
}

/** Gives a node the focus; it is the one stop of the picture for the tabulator key from now on. */
function go(svg: SVGSVGElement, node: SVGGElement | undefined): void {
  if (node === undefined) return;
  for (const one of nodesOf(svg)) one.setAttribute('tabindex', one === node ? '0' : '-1');
  reveal(svg, node);
  node.focus({ preventScroll: true });
  node.scrollIntoView({ block: 'nearest' });
}

const directions: Readonly<Record<string, number>> = {
  ArrowRight: 0,
  ArrowDown: Math.PI / 2,
  ArrowLeft: Math.PI,
  ArrowUp: -Math.PI / 2,
};

/** Returns the nearest node in a direction; one that is linked with this one counts as half as far away. */
function nearest(svg: SVGSVGElement, from: SVGGElement, direction: number) {
  const { x, y } = middleOf(from);
  const own = indexOf(from);
  const linked = new Set(linesOf(svg).flatMap(({ ends }) => (ends.includes(own) ? ends : [])));
  let best: { readonly node: SVGGElement; readonly far: number } | undefined;
  for (const node of nodesOf(svg)) {
    if (node === from) continue;
    const place = middleOf(node);
    const turn = Math.atan2(place.y - y, place.x - x) - direction;
    const angle = Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn)));
    if (angle > Math.PI / 3) continue;
    const share = linked.has(indexOf(node)) ? 0.5 : 1;
    const far = Math.hypot(place.x - x, place.y - y) * (1 + angle) * share;
    if (best === undefined || far < best.far) best = { node, far };
  }
  return best?.node;
}

/** Returns the node that a key leads to. */
function nodeByKey(svg: SVGSVGElement, from: SVGGElement, key: string): SVGGElement | undefined {
  const direction = directions[key];
  if (direction !== undefined) return nearest(svg, from, direction);
  const list = nodesOf(svg);
  const at = list.indexOf(from);
  const places: Readonly<Record<string, number>> = {
    Home: 0,
    End: list.length - 1,
    PageDown: Math.min(at + 1, list.length - 1),
    PageUp: Math.max(at - 1, 0),
  };
  return list[places[key] ?? -1];
}

const zoomStep = 1.5;
const zoomKeys: Readonly<Record<string, number>> = {
  '+': zoomStep,
  '=': zoomStep,
  '-': 1 / zoomStep,
  '0': 0,
};

function zoomTo(svg: SVGSVGElement, factor: number, place: Point): void {
  if (factor === 0) setFrame(svg, wholeOf(svg));
  else zoom(svg, factor, place);
}

/** Returns the place that the buttons zoom at: the focused node, or the middle of what is shown. */
function focusOf(svg: SVGSVGElement): Point {
  const chosen = svg.querySelector<SVGGElement>('.n[tabindex="0"]');
  const { x, y, width, height } = frameOf(svg);
  if (svg.classList.contains('walking') && chosen !== null) return middleOf(chosen);
  return { x: x + width / 2, y: y + height / 2 };
}

document.addEventListener('keydown', (event) => {
  const svg = picture();
  const node = nodeAt(event.target);
  if (svg === null || node === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const factor = zoomKeys[event.key];
  const isWalk = event.key in directions || /^(?:Home|End|PageDown|PageUp)$/.test(event.key);
  if (!isWalk && factor === undefined) return;
  event.preventDefault();
  if (factor === undefined) go(svg, nodeByKey(svg, node, event.key));
  else zoomTo(svg, factor, middleOf(node));
});

document.addEventListener('focusin', ({ target }) => {
  const svg = picture();
  if (svg === null) return;
  const node = nodeAt(target);
  if (node !== null) show(svg, node);
  else if (!(target instanceof Element && target.closest('#graph-chosen, #graph-tools') !== null))
    show(svg, undefined);
});

/** Returns the node that the pointer is on, in the picture or in the list. */
function pointedAt(target: EventTarget | null): SVGGElement | null {
  const node = nodeAt(target);
  if (node !== null || !(target instanceof Element)) return node;
  const item = target.closest('#graph-list li[id^="node-"]');
  return item === null ? null : dotOf(indexOf(item));
}

document.addEventListener('pointerover', ({ target, pointerType }) => {
  const svg = picture();
  if (svg === null || pointerType !== 'mouse') return;
  const pointed = pointedAt(target);
  const focused = nodeAt(document.activeElement);
  const node = pointed ?? focused ?? undefined;
  const isOver = target instanceof Element && target.closest('#graph-chosen') !== null;
  if (!isOver) show(svg, node);
});

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-zoom]') : null;
  const svg = picture();
  if (button === null || svg === null) return;
  const factors = { in: zoomStep, out: 1 / zoomStep, all: 0 };
  const factor = factors[button.dataset['zoom'] as keyof typeof factors];
  zoomTo(svg, factor, focusOf(svg));
});

function setUp(): void {
  const svg = picture();
  for (const tools of all('#graph-tools')) tools.hidden = svg === null;
  if (svg !== null) takeFingers(svg);
}

document.addEventListener('shown', setUp);
setUp();
