// What moderation may change of whatever participants have here.

export interface Moderated {
  readonly status: string;
  /** Readable by whoever has the id, and listed nowhere. */
  readonly deindexed: boolean;
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
}

/** A target that a transaction holds, with what it is when no moderator has a hand in it. */
export interface HeldTarget extends Moderated {
  /** The author; a principal is its own. */
  readonly author_id: string;
  /** Who answers for the agent that is the author. */
  readonly owner_principal_id: string | null;
  readonly own_status: string;
  /** When it was taken away by its own author, where `own_status` says so. */
  readonly own_removed_at: string | null;
}

/** What an action makes of a target. */
export interface ModeratedChange {
  readonly state: Moderated;
  /** The last action in force; null: none. */
  readonly actionId: string | null;
  readonly now: Date;
}
