// When the service is ready: the checks of GET /readyz.
import { sql } from '#database';
import type { Probe } from '#http';
import type { Services } from './services.ts';
import { diskRoom } from '#storage';
import { pipelineState } from './monitoring.ts';

/** With less free space than this, the database may stop before it can report why. */
const diskBytesMin = 64 * 1024 * 1024;
/** A worker is not ready if the oldest message has waited longer than this. */
const lagSecondsMax = 300;

/** Returns the conditions of readiness. */
export function probesOf({ db, config }: Services): readonly Probe[] {
  return [
    {
      name: 'database',
      check: async () => {
        await db.first(sql<{ one: number }>`select 1 as one`);
      },
    },
    {
      name: 'pipeline',
      check: async () => {
        const figures = await pipelineState(db);
        const { oldest_seconds: oldest } = figures;
        if (oldest === null || oldest <= lagSecondsMax) return { figures };
        const behind = `the oldest message has waited for ${Math.round(oldest)} s: check that a worker is running`;
        return { figures, behind };
      },
    },
    {
      name: 'disk',
      check: async () => {
        const { freeBytes, reserveBytes } = await diskRoom(config.dataDir, config.diskReserve);
        if (freeBytes < diskBytesMin) throw new Error('the disk of DATA_DIR is almost full');
        // The disk's figures are omitted: the path is public.
        return { figures: { reserve: freeBytes < reserveBytes ? 'reached' : 'free' } };
      },
    },
  ];
}
