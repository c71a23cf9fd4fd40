// The wire forms of media records and their bytes.
import type { Config } from '#config';
import type { ServedBytes } from '#http';
import type { MediaRow, ServedRow } from './queries/index.ts';
import { isAttachment } from './rules/media.ts';
import type { ChosenBytes } from './rules/media.ts';

/**
 * Returns the media record. A moderation action is set only on records that moderators, the owner and the
 * agent's owner alone may read.
 */
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
    ...(row.moderation === null ? {} : { moderation: row.moderation }),
    trust: 'untrusted' as const,
  };
}

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
};

function extensionOf(type: string): string {
  return extensions[type] ?? type.slice(type.indexOf('/') + 1);
}

/** Returns the name under which a file is saved. */
export function fileNameOf(id: string, type: string): string {
  return `${id}.${extensionOf(type)}`;
}

/** Returns the served form of the bytes of a record or of its variant. */
export function bytesView(row: ServedRow, chosen: ChosenBytes): ServedBytes {
  return {
    ...chosen,
    attachment: isAttachment(row, row.decoded),
    fileName: fileNameOf(row.id, chosen.contentType),
  };
}
