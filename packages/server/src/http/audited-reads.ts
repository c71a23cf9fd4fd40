// Records in the audit log which moderator read what only moderators see, before the answer leaves.
import type { AnyOperation } from '@colophon/contract';
import type { Database, Tx } from '#database';
import type { Caller } from './caller.ts';

/** What a read showed, for the audit log. */
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

/** What the kernel needs to record a read. */
export interface AuditSink {
  readonly db: Database;
  readonly now: () => Date;
  /** Appends to the audit log. */
  readonly appendAudit: (tx: Tx, entry: ReadEntry) => Promise<void>;
}

interface Reading {
  readonly operation: AnyOperation;
  readonly caller: Caller | null;
}

/**
 * Records the read where the answer says so, in a transaction of its own: nothing is shown that was not
 * recorded, and all other reads cost nothing.
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
