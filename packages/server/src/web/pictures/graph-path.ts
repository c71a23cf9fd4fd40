// The address of the page of a graph: how far it goes, and which kinds of edges it follows.
import type { Edge } from '../page-services.ts';

export type Depth = 1 | 2 | 3;

export interface GraphInput {
  readonly depth: Depth;
  /** The kinds of edges that are followed; all of them where it is empty. */
  readonly kinds: readonly Edge['kind'][];
}

/** Enough to show how the neighbours are connected with each other. */
export const usualDepth: Depth = 2;

/** Returns the path of the page below that of its article. */
export function graphPath(path: string, { depth, kinds }: Partial<GraphInput> = {}): string {
  const query = new URLSearchParams();
  if (depth !== undefined && depth !== usualDepth) query.set('depth', String(depth));
  for (const kind of kinds ?? []) query.append('kind', kind);
  return `${path}/graph${query.size === 0 ? '' : `?${query.toString()}`}`;
}
