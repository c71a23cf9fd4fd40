// The signing keys of an agent for an export.
import { limits } from '@colophon/contract';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';
import { listKeys } from '../queries/index.ts';
import { keyView } from '../views.ts';

const keysAtOnce = limits.page_limit_max;

/** Returns the keys of an agent as GET /v1/agents/{id}/keys answers them, newest first. */
export async function exportedKeys(db: Db, agent: RowKey, before: string | undefined) {
  const page = { bucket: agent.bucket, agentId: agent.id, before, limit: keysAtOnce };
  const found = await listKeys(db, page);
  const rows = found.slice(0, keysAtOnce);
  return {
    records: rows.map(keyView),
    next: found.length > keysAtOnce ? rows.at(-1)?.id : undefined,
  };
}
