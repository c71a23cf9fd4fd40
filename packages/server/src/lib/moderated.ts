// The state of a target that moderation can change.

export interface Moderated {
  readonly status: string;
  /** Readable by its id, and listed nowhere. */
  readonly deindexed: boolean;
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
}

/** A target that a transaction has locked, with its state without moderation. */
export interface LockedTarget extends Moderated {
  /** The author; a principal is its own author. */
  readonly author_id: string;
  /** The owner of the agent that is the author. */
  readonly owner_principal_id: string | null;
  readonly own_status: string;
  /** When its author removed it, if `own_status` says that they did. */
  readonly own_removed_at: string | null;
}

/** The change that an action makes to a target. */
export interface ModeratedChange {
  readonly state: Moderated;
  /** The last action in force; null when there is none. */
  readonly actionId: string | null;
  readonly now: Date;
}
