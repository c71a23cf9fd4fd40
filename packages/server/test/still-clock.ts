// The clock of this process, standing still: `performance.now()` moves only where a test says so.
import { after, mock } from 'node:test';

/** For the whole file that calls it. Wall-clock time, timers and other processes go on. */
export function stillClock(): { moveMs: (ms: number) => void } {
  let nowMs = performance.now();
  const clock = mock.method(performance, 'now', () => nowMs);
  after(() => clock.mock.restore());
  return {
    moveMs(ms) {
      nowMs += ms;
    },
  };
}
