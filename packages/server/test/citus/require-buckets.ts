// Refuses statements that would make a distributed database ask all its servers, or refuse them, in every test:
// a real cluster is asked only by `npm run test:citus`.
import pg from 'pg';
import { withNamedBuckets } from '../../src/database/client/name-buckets.ts';
import { isOfService } from './record.ts';

const marked = /--\s*every bucket:/;
const named = /\bbucket = (?:\$\d|any\(\$\d)/;
const unnamed =
  /(?<![\w.])(?:\w+\.)?bucket = \w+\.bucket\b(?! and (?:\w+\.)?bucket = (?:\$\d|any\())/;

/**
 * Whether the statement is about some buckets, but a table in it is known only by the bucket of another one, which
 * the coordinator does not follow.
 */
export function isPartlyNamed(text: string): boolean {
  if (marked.test(text)) return false;
  const sent = withNamedBuckets(text);
  return named.test(sent) && unnamed.test(sent);
}

const judged = new Map<string, boolean>();

/** Lets each such statement of the service fail in this process from now on. */
export function requireNamedBuckets(): void {
  const original = pg.Client.prototype.query as (...words: unknown[]) => unknown;
  pg.Client.prototype.query = function query(this: pg.Client, ...words: unknown[]): unknown {
    const [sent] = words;
    if (isOfService(sent)) {
      const isRefused = judged.get(sent.text) ?? isPartlyNamed(sent.text);
      judged.set(sent.text, isRefused);
      if (isRefused)
        throw new Error(
          `A distributed database would not find the shards of all tables. Name the bucket of each, in a form that withNamedBuckets follows: ${sent.text}`,
        );
    }
    return original.apply(this, words);
  } as typeof pg.Client.prototype.query;
}
