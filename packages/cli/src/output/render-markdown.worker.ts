// The thread that renders one long text for shownMarkdown().
import { parentPort, workerData } from 'node:worker_threads';
import { renderMarkdown } from './render-markdown.ts';
import { styleWith } from './style.ts';

/** What the thread is given. */
export interface Given {
  readonly text: string;
  readonly width: number;
  readonly colours: boolean;
}

const { text, width, colours } = workerData as Given;
parentPort?.postMessage(renderMarkdown(text, { width, style: styleWith(colours) }));
