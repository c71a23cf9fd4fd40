// The door of share images: drawn when nothing else waits, or when one is requested.
export { shareImageSubscribers, ogImages, rebuildingOgImages } from './service/draw-image.ts';
export { ogImageFrom } from './service/read-image.ts';
