// The door of home: the summary for a returning participant, and the description of the service.
import * as implemented from './operations/index.ts';

export const operations = Object.values(implemented);
