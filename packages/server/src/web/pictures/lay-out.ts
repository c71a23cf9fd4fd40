// The worker side of graph layouts.
import { worker } from '@colophon/text/lib/worker';
import { layOutGraph } from './graph-layout.ts';

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default worker(layOutGraph);
