// The elements of the picture of a graph.

/** The picture may be in the page or not, and `live` may have replaced it. */
export const picture = () => document.querySelector<SVGSVGElement>('#graph');

/** Returns the node that an event is about; null beside the nodes. */
export const nodeAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<SVGGElement>('#graph .n') : null;
