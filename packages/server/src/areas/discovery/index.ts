// The door of discovery.
import { readMeta } from './operations/read-meta.ts';

export const operations = [readMeta];

export { reactions } from './reactions.ts';
