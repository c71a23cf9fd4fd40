// The door of the database: connections, statements, migrations and the embedded PostgreSQL.
export { connectionTo, standbyAt } from './address.ts';
export { livenessSpace, lockNumbers, lockSpace } from './advisory-locks.ts';
export { auditPower } from './audit-power.ts';
export { connectionRoom } from './connection-room.ts';
export {
  isAborted,
  isConnectionLost,
  isMissingTable,
  isOutOfResources,
  isRerunnable,
  isStalePlan,
  isTimeout,
  violatedConstraint,
} from './client/pg-errors.ts';
export { openDatabase } from './client/pool.ts';
export { findStandbyFault } from './client/standby.ts';
export { openReplicas } from './client/replicas.ts';
export type { Replicas } from './client/replicas.ts';
export { readByHash, readById, readsFor } from './client/keyed-read.ts';
export type { HashKey, KeyedRead, KeyMember } from './client/keyed-read.ts';
export { newClient, newPool } from './client/new-client.ts';
export type { Connection } from './client/new-client.ts';
export type { Database, TransactionOptions } from './client/pool.ts';
export type { Db, Tx } from './client/session.ts';
export { nameBuckets } from './client/name-buckets.ts';
export {
  atMost,
  whenGiven,
  justFirst,
  nothing,
  orOverServers,
  sql,
  takesLong,
} from './client/sql.ts';
export type { Condition, Statement } from './client/sql.ts';
export { distribute } from './distribution/distribute.ts';
export { inspectDataDir, startEmbedded } from './embedded/index.ts';
export type { EmbeddedDatabase } from './embedded/index.ts';
export { knownMigrations, migrate, pendingMigrations } from './migrate.ts';
export { openCopyLock } from './copy/backup-lock.ts';
export { clearUnused, databaseUse, markUnfinished } from './copy/emptiness.ts';
export { openLoader } from './copy/load.ts';
export type { Filling, Loader } from './copy/load.ts';
export { openSnapshot } from './copy/snapshot.ts';
export type { Snapshot, TableCopy } from './copy/snapshot.ts';
export { byId, keysTable, namedIds } from './client/row-keys.ts';
export { knowsCapitals, unfitness } from './requirements.ts';
export type { Engine } from './requirements.ts';
export { asServiceRole } from './service-role.ts';
