// The words of the table of moderation: what is done, what follows, and how a state is reached.
import type { ModerationAction } from '@colophon/contract';

/** The columns: an action, and whether its source is `legal`. */
export const namedActions = {
  hide: { action: 'hide', legal: false },
  remove: { action: 'remove', legal: false },
  'remove legally': { action: 'remove', legal: true },
  'de-index': { action: 'de-index', legal: false },
  suspend: { action: 'suspend', legal: false },
  restore: { action: 'restore', legal: false },
  'restore legally': { action: 'restore', legal: true },
  warn: { action: 'warn', legal: false },
} as const satisfies Record<string, { action: ModerationAction; legal: boolean }>;

export type ActionName = keyof typeof namedActions;

/** 422: not for this kind. 409: it changes nothing. Else the state that follows. */
type Follows = 422 | 409 | string;
type Row = readonly [
  hide: Follows,
  remove: Follows,
  removeLegally: Follows,
  deindex: Follows,
  suspend: Follows,
  restore: Follows,
  restoreLegally: Follows,
  warn: Follows,
];

/** A state, by the way to it: namedActions, and what the author does between them to a fresh target. */
export interface State {
  readonly way: readonly string[];
  /** What readers and the author, in this order, are answered. */
  readonly seen: readonly [reader: string, author: string];
  readonly row: Row;
}

export type Table = Readonly<Record<string, State>>;

export const shown = 'shown';
export const none = 'not-found';
export const gone = 'gone';
export const legal = 'unavailable-for-legal-reasons';
