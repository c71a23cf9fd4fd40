// The door of the islands: bundles the scripts of pages. What runs in browsers is in `browser/`.
export { bundleIslands } from './bundle-islands.ts';
export type { Island, Islands } from './bundle-islands.ts';
