// A read of the comparison, the same for every server.
import type { Work } from './side.ts';

/** GETs the paths in turn. `shows` is a text of the response. */
export const reading = (
  paths: readonly string[],
  shows: string,
  headers: Readonly<Record<string, string>> = {},
): Work => ({ steps: [{ method: 'GET', paths, headers }], shows });
