// What the pages of moderation read besides operations; the desk is opened only to those who hold an admin scope.
import type { ModerationAction, ReportCategory, TargetType } from '@colophon/contract';
import type { Caller } from '#http';
import type { AuditList, ReportDetail, TargetRecord } from './moderation-records.ts';

/** An account as moderators see it, in any state. */
export interface DeskAccount {
  readonly id: string;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string | null;
  readonly status: 'active' | 'suspended' | 'closed';
  readonly trust_level: number;
  readonly owner_principal_id: string | null;
  readonly created_at: string;
}

export type Accounts = ReadonlyMap<string, DeskAccount>;

/** What is to be done. A count of 1,001 stands for more than 1,000. */
export interface QueueCounts {
  readonly all: number;
  readonly mine: number;
  readonly appeals: number;
  readonly categories: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, number>;
}

export interface ReportState {
  readonly id: string;
  readonly status: ReportDetail['status'];
  readonly claimed_by: string | null;
}

/** A row of the audit log, by its number and its hash. */
export interface ChainLink {
  readonly number: number;
  readonly hash: string;
}

/** What a piece of the check of the audit log found. */
export type ChainFinding =
  | { readonly link: ChainLink; readonly last: number; readonly isWhole: boolean }
  | { readonly brokenAt: number; readonly reason: string };

/** A revision that readers saw earlier, and the one that is published now. */
export interface Revised {
  readonly from: string;
  readonly to: string;
}

/** The actions that would change something, and whether only where they follow from a legal demand. */
export type ActionUses = ReadonlyMap<ModerationAction, 'always' | 'legally'>;

export interface DeskReads {
  readonly counts: () => Promise<QueueCounts>;
  /** Counts the reports that are not closed, up to 1,001. It may be two seconds old. */
  readonly openCount: () => Promise<number>;
  /** Counts the other reports on the same object that an action of the moderator can close too, up to 1,001. */
  readonly closableOthers: (
    report: Pick<ReportDetail, 'id' | 'target_type' | 'target_id'>,
  ) => Promise<number>;
  readonly reportStates: (ids: readonly string[]) => Promise<readonly ReportState[]>;
  /** Returns the oldest open report after another one; the oldest of all if there is none after it. */
  readonly next: (input: {
    readonly after: string | undefined;
    readonly category: ReportCategory | undefined;
    readonly targetType: TargetType | undefined;
  }) => Promise<string | undefined>;
  readonly accounts: (ids: readonly (string | null)[]) => Promise<Accounts>;
  /** Returns the id of the account with a name; undefined if there is none. */
  readonly accountNamed: (username: string) => Promise<string | undefined>;
  /** Returns the newest actions on the works and the account of an author. */
  readonly record: (authorId: string) => Promise<readonly ReportDetail['actions'][number][]>;
  /** Returns the present state of an object, without its text. */
  readonly object: (type: TargetType, id: string) => Promise<TargetRecord>;
  /** Returns the actions that would change something about an object in this state. */
  readonly uses: (type: TargetType, target: Omit<TargetRecord, 'excerpt'>) => ActionUses;
  /**
   * Returns the times at which readers saw another revision of an article than the one that is published now, with
   * the ids of both. Other objects have no revisions.
   */
  readonly revisedSince: (
    type: TargetType,
    id: string,
    times: readonly string[],
  ) => Promise<ReadonlyMap<string, Revised>>;
  readonly adminScopesOf: (accountId: string) => Promise<readonly string[]>;
  /** Whether a row of the audit log has the hash of its content. */
  readonly isIntact: (row: AuditList['items'][number]) => boolean;
  /** Follows a piece of the audit log, from its first row or after the last row of the piece before. */
  readonly checkAudit: (after: ChainLink | undefined) => Promise<ChainFinding>;
}

/** The desk, opened: the caller with the admin scopes of the account, and what it may read. */
export interface Desk {
  readonly caller: Caller;
  readonly reads: DeskReads;
}

export interface DeskServices {
  /** Opens the desk for a session, or says why it stays closed. */
  readonly enter: (caller: Caller) => Promise<Desk | 'no-scope' | 'unchecked'>;
  /**
   * Keeps the desk open for hours, if the person has just confirmed with a passkey.
   * @throws forbidden: the person must confirm
   * @throws insufficient-scope: the account holds no admin scope
   */
  readonly confirm: (caller: Caller) => Promise<void>;
  /**
   * Opens the desk for a form.
   * @throws forbidden: the account holds no admin scope, or must confirm with a passkey
   */
  readonly require: (caller: Caller) => Promise<Desk>;
}

/** An action as its author reads it, with the appeal. */
export interface Decision {
  readonly id: string;
  /** The agent whose owner reads it; undefined if the author does. */
  readonly agent?: { readonly username: string | undefined };
  readonly target_type: TargetType;
  readonly target_id: string;
  readonly action: string;
  readonly reason_code: string;
  readonly reason_text: string | null;
  readonly source: string;
  readonly created_at: string;
  readonly lifted_at: string | null;
  readonly appeal_status: string | null;
  readonly appeal_text: string | null;
  readonly appealed_at: string | null;
  readonly resolution: string | null;
  readonly resolved_at: string | null;
  readonly content: string | null;
  readonly excerpt: string | null;
  readonly article_id: string | null;
  readonly removed_legally: boolean;
  /** The status of the object now; null if it does not exist. */
  readonly status: string | null;
  readonly canAppeal: boolean;
}

/** The actions of a month: how many, how many were appealed, how many appeals were upheld. */
export interface MonthCounts {
  readonly month: string;
  readonly actions: number;
  readonly appeals: number;
  readonly appeals_upheld: number;
}
