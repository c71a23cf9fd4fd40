// Examines everything that the service depends on, for doctor and for the operator's page.
import { statfs } from 'node:fs/promises';
import { hiderOfSecrets } from '#config';
import { findBackupState, isAhead, listBackups, newestBefore } from '#backup';
import {
  auditPower,
  inspectDataDir,
  isMissingTable,
  knowsCapitals,
  knownMigrations,
  pendingMigrations,
  sql,
  unfitness,
} from '#database';
import type { Engine } from '#database';
import { countPendingErasures, findTreatmentProgress } from '#articles';
import { rebuilding } from './subscribers.ts';
import { countClosings, countUnrecordedClosings } from '#identity';
import { findKeyFault, findLogStatus } from '#log';
import { countUnrecordedLegalActs } from '#moderation';
import { listRebuildStates } from '#reindex';
import { countParked, lag, listParked } from '#outbox';
import { examineStandbys, sharedLimits } from './examine-hosts.ts';
import type { Services } from './services.ts';
import { openBackupFiles, requireBackupTarget } from '#storage';

export interface Finding {
  readonly what: string;
  readonly well: boolean;
  readonly text: string;
}

/** What the examinations use of the services. */
export interface Examined extends Pick<Services, 'db' | 'config' | 'connection' | 'now'> {
  /** Whether BACKUP_TO is tried with a small file. A page that is looked at writes nothing. */
  readonly tries?: boolean;
}

type Examination = (services: Examined) => Promise<Omit<Finding, 'what'>>;

const gigabyte = 1024 ** 3;
/** A running rebuild makes progress every few seconds. */
const stillMs = 5 * 60_000;

async function database({ db, config }: Examined) {
  const row = await db.first(sql<Engine & { release: string; size: number }>`
    select
      current_setting('server_version') as release,
      current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      pg_database_size(current_database()) as size`);
  const fault = row && unfitness(row);
  if (fault !== undefined) return { well: false, text: fault };
  const where =
    config.databaseUrl === undefined ? `embedded in ${config.dataDir}` : 'at DATABASE_URL';
  const capitals = await db.first(knowsCapitals);
  const lack = capitals?.known === true ? '' : ', but its locale knows capitals of ASCII only';
  return {
    well: true,
    text: `PostgreSQL ${row?.release}, ${where}, ${((row?.size ?? 0) / gigabyte).toFixed(2)} GiB${lack}`,
  };
}

async function dataFolder({ config }: Examined) {
  if (config.databaseUrl !== undefined) return { well: true, text: 'not used for the database' };
  const { major, pid } = await inspectDataDir(config.dataDir);
  // The command itself starts it if no server runs.
  return { well: true, text: `its PostgreSQL ${major ?? '?'} is process ${pid ?? '?'}` };
}

async function migrations({ connection }: Examined) {
  const pending = await pendingMigrations(connection);
  if (pending.length === 0) return { well: true, text: 'all applied' };
  const { length } = await knownMigrations();
  return {
    well: false,
    text:
      pending.length === length
        ? 'none applied, the database is new. Start the server, or restore a backup first'
        : `not applied: ${pending.join(', ')}. Restart the server to apply them`,
  };
}

/** Commands connect to the embedded database as its owner, not as the service, so it is not checked there. */
async function auditLog({ db, config }: Examined) {
  const power = config.databaseUrl === undefined ? undefined : await auditPower(db);
  return { well: true, text: power ?? 'the service can add rows and cannot change them' };
}

async function pipeline({ db }: Examined) {
  const { waiting, oldest_seconds: oldest } = await lag(db);
  const late = oldest !== null && oldest > 300;
  const age = oldest === null ? '' : `, the oldest one for ${Math.round(oldest)} s`;
  return {
    well: !late,
    text: `${waiting} waiting${age}${late ? '. Start a process with ROLE=worker or all' : ''}`,
  };
}

async function examineParked({ db }: Examined) {
  const count = await countParked(db);
  const shown = await listParked(db, 3);
  const lines = shown.map(
    (job) => `\n    ${job.type} ${job.subscriber} ${job.message_id ?? ''}: ${job.last_error ?? ''}`,
  );
  return {
    well: count === 0,
    text:
      count === 0
        ? 'no job is parked'
        : `${count} jobs are parked: correct the cause, then run doctor --release${lines.join('')}`,
  };
}

/** Derived rows of an older version, and the progress of rebuilding them. */
async function examineDerived({ db, now }: Examined) {
  const states = await listRebuildStates(db, rebuilding);
  const due = states.filter(({ made }) => !made);
  const failed = states.filter((one) => one.made && one.failed > 0);
  if (failed.length > 0) {
    const names = failed.map(({ name }) => name).join(' ');
    const text = `${names}: some rows could not be rebuilt, the log names them: correct the cause, then run reindex ${names}`;
    return { well: false, text };
  }
  if (due.length === 0) return { well: true, text: 'all rows are from this version' };
  const texts = due.map(({ name, progress }) =>
    progress === undefined ? name : `${name} (${progress.done} of ${progress.total})`,
  );
  const text = `to be rebuilt: ${texts.join(', ')}`;
  const moved = Math.max(...due.map(({ progress }) => Date.parse(progress?.updated_at ?? '') || 0));
  const moves = now().getTime() - moved < stillMs;
  return { well: moves, text: moves ? text : `${text}. Start a process with ROLE=worker or all` };
}

/** How long a leaf may wait for its number: the sequencer works each second. */
const loggedSeconds = 60;

async function examineLog({ db, config, now }: Examined) {
  const status = await findLogStatus(db, now());
  if (status === undefined) return { well: true, text: 'not started yet' };
  const { size, publishedSize, waiting, lagSeconds, refusal, silent } = status;
  // A process that only serves does not need the key.
  const keyFault = config.role === 'web' ? undefined : await findKeyFault({ db, config });
  const fault = refusal ?? keyFault ?? silent[0];
  if (fault !== undefined) return { well: false, text: fault };
  const isLate = lagSeconds > loggedSeconds;
  const text = `${publishedSize} of ${size} leaves published, ${waiting} waiting`;
  return {
    well: !isLate,
    text: isLate ? `${text}. Start a process with ROLE=worker or all` : text,
  };
}

/** Closed accounts whose data and works are not completely treated yet. */
async function closedAccounts({ db }: Examined) {
  const [accounts, works] = await Promise.all([countClosings(db), findTreatmentProgress(db)]);
  const { authors, done, total } = works;
  if (accounts + authors === 0) return { well: true, text: 'no account is being closed' };
  return {
    well: true,
    text: `${accounts} accounts to delete; ${done} of ${total} works of ${authors} authors treated`,
  };
}

/** How long an entry may take to reach every copy of the ledger: the jobs run each minute. */
const recordedMs = 10 * 60_000;

/** Erasures, closings and legal removals that an older backup would reverse if the media store were lost. */
async function erasures({ db, now }: Examined) {
  const before = new Date(now().getTime() - recordedMs);
  const counts = await Promise.all(
    [countPendingErasures, countUnrecordedClosings, countUnrecordedLegalActs].map((count) =>
      count(db, before),
    ),
  );
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (count === 0) return { well: true, text: 'every copy of the ledger is complete' };
  return {
    well: false,
    text: `${count} are not in every copy of the ledger. Check MEDIA_STORE and BACKUP_TO, and start a process with ROLE=worker or all`,
  };
}

async function disk({ config }: Examined) {
  const space = await statfs(config.dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (space === undefined) return { well: true, text: 'DATA_DIR does not exist yet' };
  const { bavail, bsize } = space;
  const free = bavail * bsize;
  const low = free < gigabyte / 4;
  return {
    well: !low,
    text: `${(free / gigabyte).toFixed(1)} GiB free${low ? '. Free some space before the database stops' : ''}`,
  };
}

/** A day, and the hours that a backup and a retry may take. */
const backupMs = 36 * 3_600_000;

async function backups({ db, config, now, tries = false }: Examined) {
  if (config.backupTo === undefined)
    return { well: true, text: 'not scheduled. Set BACKUP_TO to make one every day' };
  if (tries) await requireBackupTarget(config.backupTo);
  await using files = await openBackupFiles(config.backupTo);
  const found = await listBackups(files);
  const newest = newestBefore(found, now());
  const ahead = found.filter((one) => isAhead(one, now())).map(({ name }) => name);
  const failure = (await findBackupState(db))?.failure ?? null;
  const why = failure === null ? '' : `. The last attempt failed: ${failure}`;
  if (ahead.length > 0)
    return {
      well: false,
      text: `dated in the future in BACKUP_TO, rename or delete them: ${ahead.join(', ')}${why}`,
    };
  if (newest === 0) return { well: failure === null, text: `none yet${why}` };
  const hours = Math.round((now().getTime() - newest) / 3_600_000);
  return {
    well: failure === null && now().getTime() - newest < backupMs,
    text: `${found.length} in BACKUP_TO, the newest of ${hours} hours ago${why}`,
  };
}

const examinations: Readonly<Record<string, Examination>> = {
  database,
  'data folder': dataFolder,
  migrations,
  'audit log': auditLog,
  pipeline,
  parked: examineParked,
  'derived rows': examineDerived,
  'public log': examineLog,
  'closed accounts': closedAccounts,
  erasures,
  backups,
  standbys: examineStandbys,
  'shared limits': sharedLimits,
  disk,
};

/** Errors of databases and stores, also stored ones, may quote the passwords and keys of the settings. */
async function examineOne(
  services: Examined,
  what: string,
  examination: Examination,
): Promise<Finding> {
  const hide = hiderOfSecrets();
  try {
    const { well, text } = await examination(services);
    return { what, well, text: hide(text) };
  } catch (error) {
    const text = isMissingTable(error)
      ? 'not known until every migration is applied'
      : hide((error as Error).message);
    return { what, well: false, text };
  }
}

/** Runs the examinations one after another. `found` is called after each. */
export async function examine(
  services: Examined,
  found: (finding: Finding) => void = () => undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [what, examination] of Object.entries(examinations)) {
    const finding = await examineOne(services, what, examination);
    findings.push(finding);
    found(finding);
  }
  return findings;
}
