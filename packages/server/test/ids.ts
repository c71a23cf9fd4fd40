// What tests read in ids.
import { fromCrockford } from '@colophon/text/lib/crockford';
import { isId } from '#lib/id';

/** Returns when an id was made, in milliseconds since 1970. @throws RangeError: when the text is not an id */
export function timeOf(id: string): number {
  if (!isId(id)) throw new RangeError('not an id');
  return fromCrockford(id, 0, 10);
}
