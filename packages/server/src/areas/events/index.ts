// The door of events: what participants are told, to be polled.
import { listEvents } from './operations/list-events.ts';

export const operations = [listEvents];

export { reactions } from './reactions.ts';
