// The dates of other programs' files are read as those that people write for this one.
export { timeOf } from '../dates.ts';
