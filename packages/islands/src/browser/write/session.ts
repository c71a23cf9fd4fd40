// One editor while it is open: what it has, and what of it the service has.
import type { LastingStore } from './lasting-store.ts';
import { openPace } from './pace.ts';
import type { Pace } from './pace.ts';
import type { Status } from './status.ts';
import type { Pending } from './records.ts';
import { isSame } from './text.ts';
import type { Revision, Texts } from './text.ts';

/** What to do with two texts that differ. */
export interface Outcome {
  /** A text that is not chosen: it is saved all the same, so that it is in the history. */
  readonly aside: Texts | null;
  /** The text to go on with, in the editor. */
  readonly next: Texts;
}

export interface Opened {
  readonly account: string;
  /** Identifies this editor among all that are or were open. */
  readonly editor: string;
  readonly article: string | null;
  /** The revision that the page was served with; null for a new article. */
  readonly base: Revision | null;
  readonly store: LastingStore;
  readonly status: Status;
  /** Returns what is typed now. */
  readonly read: () => Texts;
  /** Replaces what is typed; its author can undo it. */
  readonly write: (texts: Texts) => void;
  /** Called when the article was created. */
  readonly created: (article: string) => void;
  /**
   * Two texts differ that were both made from `base`. They are read when everything for it is loaded: what is
   * typed meanwhile is part of them. The outcome must be written at once.
   */
  readonly reconcile: (
    base: Texts | null,
    mine: () => Texts,
    theirs: () => Texts,
  ) => Promise<Outcome>;
}

/** One editor, while it is open. */
export interface Saving extends Opened {
  readonly pace: Pace;
  article: string | null;
  base: Revision | null;
  pending: Pending | null;
  /** Texts that were not chosen and are not in the history yet. They are saved before what is typed. */
  asides: readonly Texts[];
  /** What was sent when the page was left, and may have arrived. */
  left: Texts | null;
  /** Of the changes that are not saved; undefined if there are none. */
  firstChange: number | undefined;
  lastChange: number;
  running: Promise<boolean> | undefined;
  /** The first write to this device. */
  found: Promise<void> | undefined;
  timer: number;
  /** The service is not asked again before. */
  notBefore: number;
  /** Nothing is sent while a person chooses or signs in. */
  isPaused: boolean;
}

export function openSaving(opened: Opened): Saving {
  return {
    ...opened,
    pace: openPace(),
    pending: null,
    asides: [],
    left: null,
    firstChange: undefined,
    lastChange: 0,
    running: undefined,
    found: undefined,
    timer: 0,
    notBefore: 0,
    isPaused: false,
  };
}

/** Whether the service has everything that is typed. */
export function isSaved({ base, pending, asides, read }: Saving): boolean {
  if (asides.length > 0) return false;
  const now = read();
  if (base === null) return pending === null && now.title === '' && now.content === '';
  return pending === null && isSame(base, now);
}
