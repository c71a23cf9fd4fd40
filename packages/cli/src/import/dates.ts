// The dates of other programs' files are read as those that people write for this one.
export { dateHint, timeOf } from '../dates.ts';
