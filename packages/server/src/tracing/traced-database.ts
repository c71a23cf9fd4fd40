// The database, with a span for each transaction and for each statement. No span has a text or a parameter.
import type { Database, Db, KeyedRead, Statement, Tx } from '#database';
import { summaryOf } from './statement-summary.ts';
import type { SpanOptions, Traces } from './traces.ts';

/** What a span says of a statement: its summary, and the name under which PostgreSQL has prepared it. */
function optionsOf(statement: Statement, summary: string): SpanOptions {
  return {
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.summary': summary,
      'colophon.statement': statement.name,
    },
  };
}

function tracedRun(traces: Traces) {
  return <T>(statement: Statement, run: () => Promise<T>): Promise<T> => {
    const summary = summaryOf(statement);
    return traces.span(summary, optionsOf(statement, summary), run);
  };
}

/** Returns the reads with a span for each statement. */
export function tracedReads(db: Db, traces: Traces): Db {
  const run = tracedRun(traces);
  return {
    rows: (statement) => run(statement, () => db.rows(statement)),
    first: (statement) => run(statement, () => db.first(statement)),
    // The statement may be shared: each request has a span with its own time.
    find: (read, key) => run(read.one(key), () => db.find(read, key)),
  };
}

/** The promise of a statement may stay without a handler: the commit reports the failure. */
function quiet<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}

function tracedTx(tx: Tx, traces: Traces): Tx {
  const run = tracedRun(traces);
  const first = (statement: Statement) => quiet(run(statement, () => tx.first(statement)));
  const traced = {
    rows: (statement: Statement) => quiet(run(statement, () => tx.rows(statement))),
    first,
    find: <K, R>(read: KeyedRead<K, R>, key: K) => first(read.one(key)),
    run: (statement: Statement) => quiet(run(statement, () => tx.run(statement))),
    traceparentOf: (type: string) => {
      const span = traces.start(`outbox ${type}`, { kind: 'producer' });
      span.end();
      return span.isRecorded ? span.traceparent : undefined;
    },
  };
  return traced as unknown as Tx;
}

/** Returns the database with a span for each read, each transaction and each statement in one. */
export function tracedDatabase(db: Database, traces: Traces): Database {
  return {
    ...db,
    ...tracedReads(db, traces),
    transaction: (work, options) =>
      traces.span('transaction', { kind: 'client' }, () =>
        db.transaction((tx) => work(tracedTx(tx, traces)), options),
      ),
  };
}
