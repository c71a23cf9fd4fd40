// The door of the media store: a folder, or any store that supports S3.
import { openFolderStore } from './folder-store.ts';
import type { S3Location } from './s3-store.ts';
import type { MediaStore } from './store.ts';

export { requireBackupTarget } from './backup-check.ts';
export { openBackupFiles } from './backup-files.ts';
export type { BackupFiles, BackupLocation } from './backup-files.ts';
export { openLedgerFiles } from './ledger-files.ts';
export type { LedgerFile, LedgerFiles } from './ledger-files.ts';
export { openLogFiles } from './log-files.ts';
export type { LogFiles } from './log-files.ts';
export { writeNew, writeWhole } from './whole-files.ts';
export { diskRoom } from './disk-room.ts';
export type { Incoming, MediaStore, StoredFile } from './store.ts';

export type MediaLocation = { readonly folder: string } | S3Location;

/**
 * Writes a small file to the store of MEDIA_STORE and deletes it. A folder is checked together with DATA_DIR.
 * @throws Error with a message for the operator
 */
export async function requireStore(place: MediaLocation): Promise<void> {
  if ('folder' in place) return;
  const { requireS3 } = await import('./s3-check.ts');
  await requireS3(place);
}

/** Opens the store that MEDIA_STORE names. It is not contacted before it is used. */
export async function openMediaStore(
  place: MediaLocation,
  diskReserve?: number,
): Promise<MediaStore> {
  if ('folder' in place) return openFolderStore(place.folder, diskReserve);
  // The S3 client is large, and a folder does not need it.
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store(place);
}
