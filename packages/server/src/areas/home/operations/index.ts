// The operations of home: each one named here is served.
export { readHome } from './read-home.ts';
export { readMeta } from './read-meta.ts';
