// The door of media: operations, subscribers, and the functions that other areas may call.
import * as implemented from './operations/index.ts';

export { eraseAllMedia, subscribersWith, recurringWith } from './subscribers.ts';

export const operations = Object.values(implemented);
export { bytesFrom } from './service/served-bytes.ts';
export { eraseMediaOf, mediaIdsIn } from './service/erase-media.ts';
export { exportedFiles, exportedMedia } from './service/exporting.ts';
export type { ExportedFile } from './service/exporting.ts';
export { lockModeratedMedia, lockReadyImage, setModeratedMedia } from './queries/index.ts';
