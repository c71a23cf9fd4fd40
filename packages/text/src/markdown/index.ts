// The renderer for the preview in the editor, which runs in browsers. The server renders in threads.
export { renderBelow } from './render-below.ts';
export { preformat } from '../preformatted.ts';
export { createRenderer } from './renderer.ts';
export type { Site } from './renderer.ts';
