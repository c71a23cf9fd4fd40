// One half of a cycle. // expect in this file: no-cycle
import { trip } from './trip.ts';

export const round: number = trip + 1;
