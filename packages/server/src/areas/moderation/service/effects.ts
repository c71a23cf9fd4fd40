// Applies actions to their targets through the doors of their areas, each of which writes its own tables.
import type { TargetType } from '@colophon/contract';
import { holdArticle, moderateArticle } from '#articles';
import type { Tx } from '#database';
import { holdPrincipal, moderatePrincipal } from '#identity';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import { holdMedia, moderateMedia } from '#media';
import { holdComment, moderateComment } from '#social';

/** A target that is locked until the transaction ends. */
export interface Held {
  readonly target: HeldTarget;
  /** Sets the state that results from an action; it becomes visible with the commit. */
  readonly put: (change: ModeratedChange) => void;
}

type Hold = (tx: Tx, id: string) => Promise<Held | undefined>;

const holds: Readonly<Record<TargetType, Hold>> = {
  article: async (tx, id) => {
    const target = await holdArticle(tx, id);
    return target && { target, put: (change) => moderateArticle(tx, id, change) };
  },
  comment: async (tx, id) => {
    const target = await holdComment(tx, id);
    return (
      target && { target, put: (change) => moderateComment(tx, { id, before: target }, change) }
    );
  },
  principal: async (tx, id) => {
    const target = await holdPrincipal(tx, id);
    return target && { target, put: (change) => moderatePrincipal(tx, id, change) };
  },
  media: async (tx, id) => {
    const target = await holdMedia(tx, id);
    return target && { target, put: (change) => moderateMedia(tx, id, change) };
  },
};

/** Locks the target and returns it; undefined if it does not exist. */
export function holdTarget(tx: Tx, type: TargetType, id: string): Promise<Held | undefined> {
  return holds[type](tx, id);
}
