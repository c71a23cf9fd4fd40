// The door of home: what a participant returns to, and what the service says of itself.
import * as implemented from './operations/index.ts';

export const operations = Object.values(implemented);
