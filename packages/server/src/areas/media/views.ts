// Media records as they look on the wire.
import type { Config } from '#config';
import type { MediaRow } from './queries/index.ts';

export function mediaView(row: MediaRow, config: Pick<Config, 'baseUrl' | 'mediaBaseUrl'>) {
  return {
    id: row.id,
    owner_principal_id: row.owner_principal_id,
    status: row.status,
    kind: row.kind,
    content_type: row.content_type,
    byte_size: row.byte_size,
    checksum_sha256: row.checksum,
    alt_text: row.alt_text,
    source: row.source,
    url: row.status === 'ready' && !row.hidden ? `${config.mediaBaseUrl}/${row.id}` : null,
    upload_url: row.status === 'pending' ? `${config.baseUrl}/v1/media/${row.id}/content` : null,
    created_at: row.created_at,
    finalized_at: row.finalized_at,
    ...(row.rejection_reason === null ? {} : { rejection_reason: row.rejection_reason }),
    trust: 'untrusted' as const,
  };
}
