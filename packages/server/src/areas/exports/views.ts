// The wire form of exports.
import type { Config } from '#config';
import type { ExportRow } from './queries/index.ts';
import { statusOf } from './rules/exports.ts';

export function exportView(row: ExportRow, config: Pick<Config, 'baseUrl'>, now: Date) {
  const { status, reason } = statusOf(row, now);
  const isReady = status === 'ready';
  return {
    id: row.id,
    principal_id: row.principal_id,
    status,
    progress: {
      done: row.counts.articles,
      total: Math.max(row.articles_total, row.counts.articles),
    },
    counts: row.counts,
    byte_size: isReady ? row.byte_size : null,
    checksums_sha256: isReady ? row.checksums_sha256 : null,
    content_url: isReady ? `${config.baseUrl}/v1/exports/${row.id}/content` : null,
    reason,
    created_at: row.created_at,
    finished_at: row.finished_at,
    expires_at: row.expires_at,
  };
}
