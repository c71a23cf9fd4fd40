// Views take types only.
import '#database'; // expect: no-restricted-imports
import { implement } from '#http'; // expect: no-restricted-imports
import type { Caller } from '#http';

export const shown = (caller: Caller): string => implement(caller.id);
