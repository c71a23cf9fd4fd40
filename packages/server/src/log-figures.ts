// The figures of the transparency log for /metrics.
import type { Db } from '#database';
import type { Figure } from '#http';
import { findLogStatus } from '#log';
import { shareQuery } from './shared-look.ts';

/** Returns the figures of size and lag. */
export function logFigures(db: Db): readonly Figure[] {
  const recent = shareQuery(() => findLogStatus(db, new Date()));
  return [
    {
      name: 'colophon_log_leaves',
      type: 'gauge',
      of: 'host',
      help: 'Leaves of the published transparency log.',
      read: async () => (await recent())?.publishedSize ?? null,
    },
    {
      name: 'colophon_log_waiting',
      type: 'gauge',
      of: 'host',
      help: 'Leaves that are not in the published tree of the transparency log yet.',
      read: async () => (await recent())?.waiting ?? null,
    },
    {
      name: 'colophon_log_lag_seconds',
      type: 'gauge',
      of: 'host',
      help: 'Age of the oldest of these leaves; 0 if none is waiting.',
      read: async () => (await recent())?.lagSeconds ?? null,
    },
    {
      name: 'colophon_log_witnesses_failing',
      type: 'gauge',
      of: 'host',
      help: 'Witnesses whose last request failed; admin log status prints why.',
      read: async () => {
        const status = await recent();
        return status?.witnesses.filter(({ failure }) => failure !== null).length ?? null;
      },
    },
    {
      name: 'colophon_log_refused',
      type: 'gauge',
      of: 'host',
      help: '1 if no checkpoint is signed; admin doctor prints why.',
      read: async () => {
        const status = await recent();
        return status === undefined ? null : Number(status.refusal !== null);
      },
    },
  ];
}
