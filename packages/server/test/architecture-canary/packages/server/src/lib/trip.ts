// The other half, by a type. // expect in this file: no-cycle
import type { round } from './round.ts';

export const trip = 1;
export type Round = typeof round;
