// Rules are pure.
import 'node:fs'; // expect: no-restricted-imports
import '#database'; // expect: no-restricted-imports
import '#identity'; // expect: no-restricted-imports
import { implement, problem } from '#http'; // expect: no-restricted-imports
import { forgetful } from './queries.ts'; // expect: no-restricted-imports
import type { Caller } from '#http';
import '#lib/other';

export function mayPublish(caller: Caller): void {
  if (caller.id === implement(forgetful(''))) throw problem('forbidden');
}
