// Merges and compares two texts: loaded when an article was changed in two places.
export { compare, merge } from './write/merge.ts';
