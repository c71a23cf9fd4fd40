// The door of events: what participants are told, to be polled.
import * as implemented from './operations/index.ts';

export const operations = Object.values(implemented);

export { subscribers } from './subscribers.ts';
