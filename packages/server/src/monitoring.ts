// Monitoring for the operator: the figures of GET /metrics.
import { findBackupState } from '#backup';
import type { Db } from '#database';
import { uploadCounts } from '#http';
import type { Figure } from '#http';
import type { EventNotifier } from '#event-log';
import { countParked, lag } from '#outbox';
import { listRebuildStates } from '#reindex';
import type { Kind } from '#reindex';
import { logFigures } from './log-figures.ts';
import type { Services } from './services.ts';
import { shareQuery } from './shared-look.ts';
import { diskRoom } from '#storage';

export async function pipelineState(db: Db) {
  const [behind, parked] = await Promise.all([lag(db), countParked(db)]);
  return { ...behind, parked };
}

const outcomes = {
  standby: 'Statements of public reads that a standby answered.',
  behind:
    'Statements that the primary answered because the standby had not replayed the newest commits.',
  failed: 'Statements that the primary answered because they failed on the standby.',
} as const;

/** No figures without REPLICA_URLS. */
function replicaFigures(replicas: Services['replicas']): readonly Figure[] {
  if (replicas === undefined) return [];
  return (['standby', 'behind', 'failed'] as const).map((outcome) => ({
    name: `colophon_replica_reads_${outcome}_total`,
    type: 'counter',
    help: outcomes[outcome],
    read: () => replicas.counts()[outcome],
  }));
}

function pipelineFigures(db: Db): readonly Figure[] {
  const recent = shareQuery(() => pipelineState(db));
  return [
    {
      name: 'colophon_pipeline_waiting',
      type: 'gauge',
      of: 'host',
      help: 'Due messages and jobs of the pipeline that are not finished, of all processes.',
      read: async () => (await recent())?.waiting ?? null,
    },
    {
      name: 'colophon_pipeline_oldest_seconds',
      type: 'gauge',
      of: 'host',
      help: 'Age of the oldest due message or job; 0 if none is waiting.',
      read: async () => {
        const state = await recent();
        return state === undefined ? null : (state.oldest_seconds ?? 0);
      },
    },
    {
      name: 'colophon_pipeline_parked',
      type: 'gauge',
      of: 'host',
      help: 'Jobs that failed in all their attempts; admin doctor lists them.',
      read: async () => (await recent())?.parked ?? null,
    },
  ];
}

/** Derived rows of an older version, and the progress of rebuilding them. */
function reindexFigures(db: Db, kinds: readonly Kind[]): readonly Figure[] {
  const recent = shareQuery(() => listRebuildStates(db, kinds));
  const due = async () => (await recent())?.filter(({ made }) => !made);
  const sumDue = async (of: 'done' | 'total') =>
    (await due())?.reduce((sum, { progress }) => sum + (progress?.[of] ?? 0), 0) ?? null;
  return [
    {
      name: 'colophon_reindex_kinds_due',
      type: 'gauge',
      of: 'host',
      help: 'Kinds of derived rows of an older version that a worker has to rebuild.',
      read: async () => (await due())?.length ?? null,
    },
    {
      name: 'colophon_reindex_rows',
      type: 'gauge',
      of: 'host',
      help: 'Approximate number of sources of the kinds being rebuilt; 0 if there are none.',
      read: () => sumDue('total'),
    },
    {
      name: 'colophon_reindex_rows_done',
      type: 'gauge',
      of: 'host',
      help: 'Number of these sources that are done.',
      read: () => sumDue('done'),
    },
    {
      name: 'colophon_reindex_rows_failed',
      type: 'gauge',
      of: 'host',
      help: 'Sources whose rows could not be rebuilt; admin doctor prints what to do.',
      read: async () =>
        (await recent())?.reduce((sum, { failed, progress }) => {
          return sum + (progress?.failed ?? failed);
        }, 0) ?? null,
    },
  ];
}

/** Present only with BACKUP_TO. */
function backupFigures({ db, config }: Pick<Services, 'db' | 'config'>): readonly Figure[] {
  if (config.backupTo === undefined) return [];
  const recent = shareQuery(async () => ({ state: await findBackupState(db) }));
  return [
    {
      name: 'colophon_backup_age_seconds',
      type: 'gauge',
      of: 'host',
      help: 'Age of the newest scheduled backup; absent before the first one.',
      read: async () => {
        const at = (await recent())?.state?.finished_at ?? null;
        return at === null ? null : Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
      },
    },
    {
      name: 'colophon_backup_failed',
      type: 'gauge',
      of: 'host',
      help: '1 if the last attempt of a scheduled backup failed; admin doctor prints why.',
      read: async () => {
        const found = await recent();
        return found === undefined ? null : Number((found.state?.failure ?? null) !== null);
      },
    },
    {
      name: 'colophon_backup_bytes',
      type: 'gauge',
      of: 'host',
      help: 'Size of the newest scheduled backup.',
      read: async () => (await recent())?.state?.byte_size ?? null,
    },
  ];
}

function diskFigures({ dataDir, diskReserve }: Services['config']): readonly Figure[] {
  const recent = shareQuery(() => diskRoom(dataDir, diskReserve));
  return [
    {
      name: 'colophon_disk_free_bytes',
      type: 'gauge',
      of: 'host',
      help: 'Free bytes on the disk of DATA_DIR.',
      read: async () => (await recent())?.freeBytes ?? null,
    },
    {
      name: 'colophon_disk_reserve_bytes',
      type: 'gauge',
      of: 'host',
      help: 'Number of free bytes below which uploads are refused.',
      read: async () => (await recent())?.reserveBytes ?? null,
    },
  ];
}

/**
 * Returns the figures of this process, of the pipeline and of `kinds`. None contains data of a participant.
 */
export function figuresOf(
  { db, config, replicas }: Pick<Services, 'db' | 'config' | 'replicas'>,
  notifier: Pick<EventNotifier, 'waiting'>,
  kinds: readonly Kind[],
): readonly Figure[] {
  return [
    ...pipelineFigures(db),
    ...reindexFigures(db, kinds),
    ...logFigures(db),
    {
      name: 'colophon_polls_waiting',
      type: 'gauge',
      help: 'Requests waiting for an event.',
      read: () => notifier.waiting(),
    },
    {
      name: 'colophon_database_transactions_open',
      type: 'gauge',
      help: 'Connections used by a transaction.',
      read: () => db.counts().writersBusy,
    },
    {
      name: 'colophon_database_transactions_waiting',
      type: 'gauge',
      help: 'Transactions waiting for a connection.',
      read: () => db.counts().writersWaiting,
    },
    {
      name: 'colophon_database_reads_open',
      type: 'gauge',
      help: 'Unfinished reads on the shared connections.',
      read: () => db.counts().reads,
    },
    ...replicaFigures(replicas),
    ...backupFigures({ db, config }),
    ...diskFigures(config),
    {
      name: 'colophon_media_uploads_open',
      type: 'gauge',
      help: 'Uploads in progress.',
      read: () => uploadCounts().running,
    },
    {
      name: 'colophon_media_upload_bytes_total',
      type: 'counter',
      help: 'Bytes received by uploads since the start of the process.',
      read: () => uploadCounts().bytes,
    },
  ];
}
