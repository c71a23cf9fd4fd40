// The operations of search: each one named here is served.
export { search } from './search.ts';
