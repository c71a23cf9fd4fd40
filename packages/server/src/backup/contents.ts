// What of the database and the store is in a backup.
import { sql } from '#database';
import { isRecurringTask } from '#outbox';

/**
 * Tables that are not in a backup. Share images are drawn again, exports are requested again, people sign in
 * again, and the last backup is known from where backups are stored.
 */
export const leftOut = [
  'backup_standing',
  'ceremonies',
  'export_parts',
  'exports',
  'og_images',
  'sessions',
  'web_links',
] as const;

/** The columns of `undelivered`. */
export const outboxTable = {
  name: 'outbox',
  columns: ['bucket', 'id', 'type', 'payload', 'created_at'],
} as const;

/**
 * Messages that are not handled: those of the outbox, and those of jobs, which are not in a backup themselves.
 * Once restored, all subscribers of a message run again, as they may at any time.
 */
export const undelivered = sql`
  select bucket, id, type, payload, created_at
  from public.outbox
  union all
  (
    select distinct on (message ->> 'id')
      (message ->> 'bucket')::smallint, message ->> 'id', message ->> 'type', message -> 'payload',
      (message ->> 'created_at')::timestamptz(3)
    from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id
    cross join lateral json_array_elements(
      case when json_typeof(job.payload) = 'array' then job.payload else json_build_array(job.payload) end
    ) as message
    where not (${isRecurringTask})
      and message ->> 'id' is not null
    order by message ->> 'id'
  )`;

/** Files of participants and the variants of images: name, bytes, and SHA-256 where it is known. */
export const files = sql`
  select name, byte_size, right(checksum, 64) from public.blobs
  union all
  select name, byte_size, '' from public.media_variants`;

export const fileCount = sql<{ count: number }>`
  select ((select count(*) from public.blobs) + (select count(*) from public.media_variants))::float8 as count`;
