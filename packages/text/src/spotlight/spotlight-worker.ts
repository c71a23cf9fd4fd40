// The worker side of marking long texts.
import { spotlight } from './spotlight.ts';
import type { Spotlit, SpotlightRecord } from './spotlight.ts';
import { worker } from '../lib/worker.ts';

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default worker((records: readonly SpotlightRecord[]): Spotlit[] => records.map(spotlight));
