// backup [FILE]: writes everything into one file while the service runs.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { backupName, makeBackup, requireRecipients, setMade, setTried } from '#backup';
import type { Manifest } from '#backup';
import type { Config } from '#config';
import type { Services } from '#services';
import { openBackupFiles } from '#storage';
import { contentsOf, sizeOf, warnings } from './backup-report.ts';
import { requireAtMost } from './command.ts';
import type { Call, Command } from './command.ts';
import { makeProgress } from './progress.ts';

/** Where the backup is written. Without a file, it is one more of those that the schedule writes. */
function targetOf(file: string | undefined, { backupTo }: Config, isEncrypted: boolean) {
  if (file !== undefined) {
    const full = path.resolve(file);
    return { place: { folder: path.dirname(full) }, name: path.basename(full) };
  }
  if (backupTo === undefined)
    throw new Error('Name a file, such as backup colophon.tar, or set BACKUP_TO.');
  return { place: backupTo, name: backupName(new Date(), isEncrypted) };
}

async function requireFree(file: string | undefined): Promise<void> {
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
  if (found?.isFile() === true) throw new Error(`${file} exists: name another file, or delete it.`);
  if (found !== undefined)
    throw new Error(
      `${file} is not a file: name a file that does not exist yet, such as colophon.tar.`,
    );
}

interface Written {
  readonly manifest: Manifest;
  readonly size: number;
}

/**
 * One more of the backups of the schedule: doctor and the metrics count it, and show its failure, which it would
 * otherwise be enough to overlook once on a terminal.
 */
async function inSchedule(
  { db }: Pick<Services, 'db'>,
  name: string,
  write: () => Promise<Written>,
): Promise<Written> {
  const now = () => new Date().toISOString();
  try {
    const written = await write();
    await db.transaction((tx) => setMade(tx, { name, size: written.size, at: now() }));
    return written;
  } catch (error) {
    // The failure itself is what the operator must read, even if the database is its cause.
    await db
      .transaction((tx) => setTried(tx, now(), (error as Error).message))
      .catch(() => undefined);
    throw error;
  }
}

interface Asked {
  readonly file: string | undefined;
  readonly recipients: readonly string[];
  readonly target: ReturnType<typeof targetOf>;
}

/**
 * Before it counts as an attempt: the backups do not fail by a mistake in the command.
 * @throws Error in a sentence for the operator
 */
async function readArguments(args: readonly string[], config: Config): Promise<Asked> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { recipient: { type: 'string', multiple: true } },
    allowPositionals: true,
  });
  const [file] = positionals;
  requireAtMost(1, positionals, 'backup');
  const recipients = values.recipient ?? config.backupRecipients;
  await requireRecipients(recipients);
  await requireFree(file);
  return { file, recipients, target: targetOf(file, config, recipients.length > 0) };
}

async function backUp(
  { file, recipients, target: { place, name } }: Asked,
  { services, stdout, stderr }: Call,
): Promise<number> {
  const { config, connection, store, ledger } = services;
  using progress = makeProgress(stderr);
  const source = { connection, store, ledger, ...config };
  const began = performance.now();
  const write = async (): Promise<Written> => {
    await using files = await openBackupFiles(place);
    let size = 0;
    const manifest = await makeBackup(source, { recipients, steps: progress }, async (bytes) => {
      size = await files.put(name, bytes);
    });
    return { manifest, size };
  };
  const { manifest, size } = await (file === undefined
    ? inSchedule(services, name, write)
    : write());
  progress.end();
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  stdout.write(
    `${contentsOf(manifest)}\n` +
      `Written to ${file ?? name} (${sizeOf(size)}${recipients.length > 0 ? ', encrypted' : ''}) in ${seconds} s.\n`,
  );
  stderr.write(warnings(manifest));
  return 0;
}

export const backup: Command = async (args, config) => {
  const asked = await readArguments(args, config);
  return (call) => backUp(asked, call);
};
