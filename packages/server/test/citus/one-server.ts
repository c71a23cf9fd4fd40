// What cannot be tested on a distributed database, or on one alone.
import { recordVariable } from './record.ts';
import { workersOf } from './workers.ts';

const onCitus = process.env[recordVariable] !== undefined;

/** Options of a test that reads the plan of a statement: that of a coordinator has other parts. */
export const readsPlans = { skip: onCitus ? 'reads the plan of one server' : false };

/** Options of a test of a database without Citus. */
export const lacksCitus = { skip: onCitus ? 'the database has the extension' : false };

/** Options of a test that puts a view in the place of a table. */
export const replacesTable = { skip: onCitus ? 'replaces a distributed table' : false };

/** Options of a test that adds a trigger to a table. */
export const addsTrigger = { skip: onCitus ? 'a distributed table has no triggers' : false };

/** Options of a test of the command `backup`, which refuses a distributed database. */
export const backsUp = { skip: onCitus ? 'backup refuses a distributed database' : false };

/** Options of a test of the form of a statement that locks rows in an order: several servers get another one. */
export const locksInOrder = { skip: onCitus ? 'rows are locked by an update' : false };

/** The least that PostgreSQL counts of some deadlocks: those that Citus ends first are not counted. */
export const countedDeadlocks = (deadlocks: number): number => (onCitus ? 0 : deadlocks);

/** What was delivered, once each: a killed relay repeats what it had handed on to another server and not deleted yet. */
export const deliveredOnce = (seen: readonly string[]): readonly string[] =>
  onCitus ? [...new Set(seen)] : seen;

/** Options of a test of a cluster with several servers. */
export const severalServers = {
  skip: workersOf(process.env).length === 0 ? 'the run has no workers (CITUS_URL)' : false,
};
