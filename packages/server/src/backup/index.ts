// The door of backups: making, reading and restoring them.
export { archiveIn, readArchive } from './archive-reader.ts';
export { backupName } from './file-names.ts';
export type { BackupHeader, Manifest } from './format.ts';
export { requireRecipients } from './encryption.ts';
export { makeBackup } from './make-backup.ts';
export type { Steps } from './make-backup.ts';
export { restoreBackup } from './restore-backup.ts';
export { isAhead, listBackups, newestBefore, scheduledBackup } from './schedule.ts';
export { findBackupState, setMade, setTried } from './backup-state.ts';
