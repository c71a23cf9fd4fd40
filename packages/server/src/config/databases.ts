// The settings of the database and its standbys.
import { refuseUnseen } from './refusals.ts';
import type { Environment } from './refusals.ts';

const form = /^postgres(ql)?:\/\//;
const example = 'postgres://user:password@host:port/database';

/** @throws Error with one sentence for a wrong DATABASE_URL */
export function databaseUrlOf(env: Environment): string | undefined {
  const text = env['DATABASE_URL'];
  if (text === undefined || text === '') return undefined;
  if (!form.test(text)) throw refuseUnseen('DATABASE_URL', example);
  return text;
}

/**
 * Returns the addresses of the standbys.
 * @throws Error with one sentence for a wrong REPLICA_URLS
 */
export function replicaUrlsOf(env: Environment): readonly string[] {
  const urls = (env['REPLICA_URLS'] ?? '').split(/[\s,]+/).filter((url) => url !== '');
  if (urls.length > 0 && env['DATABASE_URL'] === undefined) {
    throw new Error(
      'REPLICA_URLS is set without DATABASE_URL: the embedded database has no standbys. Set both, or neither.',
    );
  }
  if (urls.some((url) => !form.test(url)))
    throw refuseUnseen(
      'REPLICA_URLS',
      `one or more addresses such as ${example}, separated by commas`,
    );
  return urls;
}
