// Examines what several hosts share, and without which each goes on more slowly or counts for itself.
import { findStandbyFault, standbyAt } from '#database';
import { findRedisFault } from '#http';
import type { Services } from './services.ts';

interface Shared extends Pick<Services, 'config'> {
  readonly tries?: boolean;
}

/** The servers of REPLICA_URLS. */
export async function examineStandbys({ db, config }: Pick<Services, 'db' | 'config'>) {
  const standbys = config.replicaUrls.map(standbyAt);
  if (standbys.length === 0) return { well: true, text: 'none: the primary answers every read' };
  const found = await Promise.all(
    standbys.map(async (standby) => {
      const fault = await findStandbyFault(standby, db);
      return fault === undefined ? [] : [`${standby.host}:${standby.port}: ${fault}`];
    }),
  );
  const faults = found.flat();
  return {
    well: faults.length === 0,
    text:
      faults.length === 0
        ? `${standbys.length} in REPLICA_URLS, all can be used`
        : `left out of REPLICA_URLS: ${faults.join(' ')}`,
  };
}

/** The Redis of REDIS_URL. `tries`: a key is stored in it, for a second. */
export async function sharedLimits({ config, tries = false }: Shared) {
  const { redisUrl } = config;
  if (redisUrl === undefined)
    return { well: true, text: 'each host counts for itself. Set REDIS_URL if there are several' };
  const fault = await findRedisFault(redisUrl, tries);
  return {
    well: fault === undefined,
    text:
      fault === undefined
        ? 'the Redis of REDIS_URL counts for every host'
        : `the Redis of REDIS_URL cannot be used, so each process counts for itself: ${fault}`,
  };
}
