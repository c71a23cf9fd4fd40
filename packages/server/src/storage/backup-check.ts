// Tries the place of BACKUP_TO with a small file, so that a refusal is known before the first backup is due.
import { randomBytes } from 'node:crypto';
import { openBackupFiles } from './backup-files.ts';
import type { BackupLocation } from './backup-files.ts';
import { answerInTime, reasonOf, unusableBucket } from './refusals.ts';

const usualLimitMs = 10_000;

async function* oneByte() {
  yield Buffer.from('x');
}

/** The refusals of the place have sentences of their own; this is for all other errors. */
function explain(place: BackupLocation, error: unknown): string {
  const { message } = error as Error;
  if (message.includes('BACKUP_TO')) return message;
  return 'folder' in place
    ? `BACKUP_TO names the folder ${place.folder}, which cannot be written (${reasonOf(error)}): name a folder that this user can write.`
    : unusableBucket(place, error);
}

/**
 * Writes a small file where backups are stored, lists it and deletes it. Its name is not that of a backup.
 * @throws Error in a sentence for the operator, which repeats no key
 */
export async function requireBackupTarget(
  place: BackupLocation,
  limitMs = usualLimitMs,
): Promise<void> {
  await using files = await openBackupFiles(place);
  const name = `attempt-${randomBytes(6).toString('hex')}`;
  const probe = async () => {
    await files.put(name, oneByte());
    await files.list();
    await files.delete(name);
  };
  try {
    await answerInTime(probe(), limitMs);
  } catch (cause) {
    throw new Error(explain(place, cause), { cause });
  }
}
