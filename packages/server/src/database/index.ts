// The door of the database.
export { connectionTo } from './address.ts';
export { auditPower } from './audit-power.ts';
export {
  isConnectionLost,
  isOutOfResources,
  isStalePlan,
  isTimeout,
  violatedConstraint,
} from './faults.ts';
export { openDatabase } from './pool.ts';
export type { Connection } from './connecting.ts';
export type { Database, TransactionOptions } from './pool.ts';
export type { Db, Tx } from './session.ts';
export { atMost, justFirst, nothing, sql, takesLong } from './sql.ts';
export type { Statement } from './sql.ts';
export { inspectDataDir, startEmbedded } from './embedded/index.ts';
export type { EmbeddedDatabase } from './embedded/index.ts';
export { migrate, pendingMigrations } from './migrate.ts';
export { unfitness } from './requirements.ts';
export type { Engine } from './requirements.ts';
export { asServiceRole } from './service-role.ts';
