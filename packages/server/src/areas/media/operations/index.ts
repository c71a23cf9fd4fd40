// The operations of media: each one exported here is served.
export { createMedia } from './create-media.ts';
export { deleteMedia } from './delete-media.ts';
export { listMedia } from './list-media.ts';
export { readMedia } from './read-media.ts';
export { readMediaContent } from './read-media-content.ts';
export { updateMedia } from './update-media.ts';
export { uploadMedia } from './upload-media.ts';
