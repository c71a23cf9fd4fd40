// The worker side of marking long texts.
import { spotlight } from '#lib/spotlight';
import type { Spotlit, SpotlightRecord } from '#lib/spotlight';
import { worker } from '#lib/worker';

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default worker((records: readonly SpotlightRecord[]): Spotlit[] => records.map(spotlight));
