// A read of the comparison, the same for every server.
import { jobs } from './jobs.ts';
import type { Work } from './side.ts';

/**
 * Makes as many articles as the most connections of a job, for the reads of one: a server that shares one read
 * between requests for the same article must not gain by it.
 */
export async function makeArticles<Made>(make: () => Promise<Made>): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (let n = 0; n < jobs.read128.connections; n += 1) made.push(await make());
  return made;
}

/** GETs the paths in turn, with the names in `headers` those of one of `people`. `shows` is a text of the response. */
export const reading = (
  paths: readonly string[],
  shows: string,
  headers: Readonly<Record<string, string>> = {},
  people: Readonly<Pick<Work, 'people'>> = {},
): Work => ({ steps: [{ method: 'GET', paths, headers }], ...people, shows });
