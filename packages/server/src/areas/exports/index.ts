// The door of exports: archives of everything that a participant wrote.
import * as implemented from './operations/index.ts';

export const operations = Object.values(implemented);
export { exportSubscribers, exportRecurring } from './subscribers.ts';
