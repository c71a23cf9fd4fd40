// Counts tests, not suites, from the events of Node's test runner.
import type { TestEvent } from 'node:test/reporters';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Adds the events of one file. A test that is still to be written counts as skipped. */
export function countEvents(events: readonly TestEvent[], counts: Counts): void {
  for (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details.type === 'suite') continue;
    const unused = data.skip !== undefined || data.todo !== undefined;
    if (unused) counts.skipped += 1;
    else if (type === 'test:pass') counts.passed += 1;
    else counts.failed += 1;
  }
}

/** Returns the last line of a run. */
export function summary({ passed, failed, skipped }: Counts): string {
  return `Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * Returns the error that no test caught, if that is what the event is: Node's runner reports it only in this
 * text, and sets the exit code.
 */
export function uncaughtError({ type, data }: TestEvent): string | undefined {
  if (type !== 'test:diagnostic' || data.nesting !== 0) return undefined;
  return data.message.startsWith('Error: ') ? data.message : undefined;
}
