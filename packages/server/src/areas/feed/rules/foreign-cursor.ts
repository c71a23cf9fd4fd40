// The refusal of a cursor that another list has made.
import { problem } from '#http';
import type { Problem } from '#http';

/** Returns the problem for a cursor that does not belong to the list that is asked for. */
export function foreignCursor(list: string): Problem {
  const detail = `does not belong to ${list}: send the next_cursor of the previous page, or leave it out`;
  return problem('invalid-request', `The query parameter cursor ${detail}.`, {
    errors: [{ pointer: '/cursor', code: 'foreign', detail }],
  });
}
