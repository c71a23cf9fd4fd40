// Records in the audit log when a moderator reads restricted content, before the answer is sent.
import type { AnyOperation } from '@colophon/contract';
import type { Database, Tx } from '#database';
import type { Caller } from './caller.ts';

/** What a read disclosed, as recorded in the audit log. */
export interface AuditedRead {
  readonly target_type: 'article' | 'comment' | 'media';
  readonly target_id: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface ReadEntry extends AuditedRead {
  readonly actor: string;
  readonly action: 'read';
  /** RFC 3339. */
  readonly created_at: string;
}

/** The dependencies of `recordRead`. */
export interface AuditSink {
  readonly db: Database;
  readonly now: () => Date;
  /** Appends an entry to the audit log. */
  readonly appendAudit: (tx: Tx, entry: ReadEntry) => Promise<void>;
}

interface Reading {
  readonly operation: AnyOperation;
  readonly caller: Caller | null;
}

/**
 * Records the read in the audit log if the answer is marked as audited. It uses its own transaction, which
 * commits before the answer is sent: nothing is disclosed unrecorded, and all other reads cost nothing.
 */
export async function recordRead(
  { db, now, appendAudit }: AuditSink,
  { operation, caller }: Reading,
  audited: AuditedRead | undefined,
): Promise<void> {
  if (caller === null || audited === undefined) return;
  const { target_type, target_id, details } = audited;
  const entry: ReadEntry = {
    actor: caller.id,
    action: 'read',
    target_type,
    target_id,
    details: { operation: operation.name, ...details },
    created_at: now().toISOString(),
  };
  await db.transaction((tx) => appendAudit(tx, entry));
}
