// The door of events: the events of a participant, which clients poll.
import * as implemented from './operations/index.ts';

export const operations = Object.values(implemented);

export { subscribers } from './subscribers.ts';
