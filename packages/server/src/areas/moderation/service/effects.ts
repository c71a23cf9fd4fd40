// How actions reach their targets: by the doors of the areas, each of which writes its own tables.
import type { TargetType } from '@colophon/contract';
import { holdArticle, moderateArticle } from '#articles';
import type { Tx } from '#database';
import { holdPrincipal, moderatePrincipal } from '#identity';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import { holdMedia, moderateMedia } from '#media';
import { holdComment, moderateComment } from '#social';

/** A target that nobody else changes until the transaction ends. */
export interface Held {
  readonly target: HeldTarget;
  /** Puts it into the state that an action leaves it in, visible everywhere with the commit. */
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

/** undefined: there is no such target. */
export function holdTarget(tx: Tx, type: TargetType, id: string): Promise<Held | undefined> {
  return holds[type](tx, id);
}
