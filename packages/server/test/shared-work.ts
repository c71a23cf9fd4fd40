// The threads for texts and the process that draws, one of each for all servers of a test process: they take
// longer to start than all else that a server does.
import { openDrawing } from '#drawing';
import type { Drawing } from '#drawing';
import { openLog } from '#services';
import { openTextWork } from '@colophon/text';
import type { TextWork } from '@colophon/text';

interface SharedWork {
  readonly text: TextWork;
  readonly drawing: Drawing;
}

let opened: SharedWork | undefined;

async function closeAtTheEnd(): Promise<void> {
  // Between two files of the test command nothing runs either, but its channel is open.
  if (process.connected || opened === undefined) return;
  const { text, drawing } = opened;
  opened = undefined;
  await Promise.all([text[Symbol.asyncDispose](), drawing[Symbol.asyncDispose]()]);
}

/** Starts nothing before it is needed. What rests keeps no process alive, and is ended with it. */
export function sharedWork(): SharedWork {
  if (opened !== undefined) return opened;
  const log = openLog(process.env['TEST_LOG'] ?? 'silent');
  opened = {
    // On a busy machine the detector may load too late; the answer is `und` then, as in production.
    text: openTextWork((error) =>
      log.warn({ err: error }, 'A thread for text work failed; the task has no result.'),
    ),
    drawing: openDrawing(),
  };
  process.on('beforeExit', () => void closeAtTheEnd());
  return opened;
}
