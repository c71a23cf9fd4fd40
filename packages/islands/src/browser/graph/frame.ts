// What the window shows of the picture of a graph: its frame, and zooming.
/** The part of the picture that is shown, in its units. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The frame of the whole picture, as the server wrote it. */
const wholes = new WeakMap<SVGSVGElement, Frame>();

/** Returns the part that is shown now. */
export function frameOf(svg: SVGSVGElement): Frame {
  const { x, y, width, height } = svg.viewBox.baseVal;
  return { x, y, width, height };
}

/** Returns the frame of the whole picture. */
export function wholeOf(svg: SVGSVGElement): Frame {
  const whole = wholes.get(svg) ?? frameOf(svg);
  wholes.set(svg, whole);
  return whole;
}

/** Shows a part of the picture, which never leaves it. */
export function setFrame(svg: SVGSVGElement, { x, y, width, height }: Frame): void {
  const whole = wholeOf(svg);
  const within = (at: number, from: number, to: number) => Math.min(Math.max(at, from), to);
  const left = within(x, whole.x, whole.x + whole.width - width);
  const top = within(y, whole.y, whole.y + whole.height - height);
  svg.setAttribute('viewBox', [left, top, width, height].map((one) => one.toFixed(1)).join(' '));
  svg.classList.toggle('zoomed', width < whole.width - 1);
}

/** A point in units of the picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const deepest = 8;

/** Zooms by a factor; what is at the place stays there. */
export function zoom(svg: SVGSVGElement, factor: number, place: Point): void {
  const whole = wholeOf(svg);
  const frame = frameOf(svg);
  const width = Math.min(whole.width, Math.max(whole.width / deepest, frame.width / factor));
  const height = (width / whole.width) * whole.height;
  const x = place.x - ((place.x - frame.x) / frame.width) * width;
  const y = place.y - ((place.y - frame.y) / frame.height) * height;
  setFrame(svg, { x, y, width, height });
}

/** Returns the point of the picture below a point of the window. */
export function pointAt(svg: SVGSVGElement, { x, y }: Point): Point {
  const matrix = svg.getScreenCTM();
  return matrix === null ? { x: 0, y: 0 } : new DOMPoint(x, y).matrixTransform(matrix.inverse());
}
