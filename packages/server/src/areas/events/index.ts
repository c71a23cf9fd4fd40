// The door of events: the events of a participant, which clients poll.
import * as implemented from './operations/index.ts';

const { markEventsRead, ...others } = implemented;

export const operations = Object.values(others);
export const ceremonies = [markEventsRead];

export { subscribers } from './subscribers.ts';
