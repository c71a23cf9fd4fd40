// Wakes the threads of libuv, which do the work on files: the signal for their work may be lost.
import { access } from 'node:fs';

const wakeMs = 1_000;

/**
 * Gives the threads a small task each second. A condition variable of glibc before 2.41 can lose the signal for a task
 * (https://sourceware.org/bugzilla/show_bug.cgi?id=25847): it then waits for the signal of the next one, and a start that
 * reads one file after another waits for ever. The process ends as if there were no such task.
 */
export function wakeThreadPool() {
  setInterval(() => access('/', () => undefined), wakeMs).unref();
}
