// The worker's side of marking long texts.
import { spotlight } from '#lib/spotlight';
import type { Spotlit, Texts } from '#lib/spotlight';

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default (records: readonly Texts[]): Spotlit[] => records.map(spotlight);
