// restore FILE: fills an empty database and an empty media store from a backup.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { applyLedger } from '#apply-ledger';
import type { Repeated } from '#apply-ledger';
import { archiveIn, restoreBackup } from '#backup';
import { requireDataDir } from '#config';
import type { Config } from '#config';
import { connectionTo, inspectDataDir, startEmbedded } from '#database';
import type { Connection } from '#database';
import { setAllTokensRevoked } from '#identity';
import { formerLedger } from '#ledger';
import type { Ledger } from '#ledger';
import { openLedgerOf, openLog, openServices } from '#services';
import { openMediaStore, requireStore } from '#storage';
import { contentsOf, openBackup, warnings } from './backup-report.ts';
import { requireAtMost } from './command.ts';
import type { StandaloneCommand } from './command.ts';
import { makeProgress } from './progress.ts';

const log = openLog('error');

/** Starts the embedded database, or connects to that of DATABASE_URL. */
async function openTarget(
  config: Config,
): Promise<{ readonly connection: Connection } & AsyncDisposable> {
  await requireDataDir(config);
  await requireStore(config.mediaStore);
  if (config.databaseUrl !== undefined) {
    const connection = await connectionTo(config.databaseUrl);
    return { connection, [Symbol.asyncDispose]: async () => undefined };
  }
  const { state } = await inspectDataDir(config.dataDir);
  if (state === 'running')
    throw new Error(
      `A server runs on ${config.dataDir}: stop it, or set DATA_DIR to an empty folder.`,
    );
  return startEmbedded({ dataDir: config.dataDir, log });
}

function optionsOf(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      identity: { type: 'string' },
      'keep-media': { type: 'boolean', default: false },
      'revoke-tokens': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  requireAtMost(1, positionals, 'restore');
  return { ...values, file: positionals[0] };
}

/** Returns a line for each kind of what the backup was too old to contain and the ledger has. */
function repetitions({ erased, closed, legallyRemoved }: Repeated): string {
  const lines = [
    [erased, 'erasures'],
    [closed, 'closings of accounts with `erase`'],
    [legallyRemoved, 'removals for legal reasons'],
  ] as const;
  return lines
    .filter(([count]) => count > 0)
    .map(([count, what]) => `Repeated ${count} ${what} that are later than the backup.\n`)
    .join('');
}

/**
 * Migrates the database to the schema of this version, and repeats what the ledger records. Each start does the
 * same, so a failure here needs no second restore.
 */
async function finish(config: Config, ledger: Ledger): Promise<Repeated> {
  try {
    await using services = await openServices(config, log);
    return await applyLedger(services, ledger);
  } catch (cause) {
    throw new Error(
      'The backup is restored: do not restore it again. Only what the ledger records may not be repeated yet; ' +
        `the next start of the server does it, once this is mended: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** What a full disk is called by the file system and by PostgreSQL. */
const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', '53100'];

/** @throws Error in a sentence for the operator: a disk is full; or the error itself */
function refuseFull(cause: Error & { readonly code?: unknown }): never {
  if (!fullCodes.includes(cause.code)) throw cause;
  throw new Error(
    `There is no space left for the restore (${cause.message}): free space on the disk of DATA_DIR, or on that of the database, and run the same command again.`,
    { cause },
  );
}

export const restore: StandaloneCommand = async ({ config, args, stdout, stderr }) => {
  const options = optionsOf(args);
  await using ledger = await openLedgerOf(config);
  await using file = await openBackup(options.file, config);
  using progress = makeProgress(stderr);
  const archive = await archiveIn(file.bytes, options.identity);
  let revoked = 0;
  async function fill() {
    await using target = await openTarget(config);
    await using store = await openMediaStore(config.mediaStore, 0);
    await ledger.adopt(path.join(config.dataDir, formerLedger));
    const { connection } = target;
    return await restoreBackup(
      archive,
      { connection, store, ledger },
      {
        steps: progress,
        keepMedia: options['keep-media'],
        change: async (ask) => {
          if (options['revoke-tokens']) revoked = await setAllTokensRevoked(ask);
        },
      },
    );
  }
  const { header, manifest } = await fill().catch(refuseFull);
  progress.end();
  const repeated = await finish(config, ledger);
  stdout.write(
    `Restored the backup of ${header.taken_at}: ${contentsOf(manifest)}.\n` +
      repetitions(repeated) +
      (options['revoke-tokens'] ? `Revoked ${revoked} tokens.\n` : '') +
      'Start the server now.\n',
  );
  stderr.write(warnings(manifest));
  if (header.base_url !== config.baseUrl)
    stderr.write(`The backup is of ${header.base_url}, and BASE_URL is ${config.baseUrl}.\n`);
  return 0;
};
