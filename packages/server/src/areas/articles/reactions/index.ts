// What articles do when a message arrives, by what it is about.
import type { Ledger } from '#ledger';
import type { Reaction } from '#outbox';
import type { Site, TextWork } from '#text';
import { countReactions } from './counting.ts';
import { erasureReactions } from './erasing.ts';
import { renderingReaction } from './rendering.ts';
import { treatmentReactions } from './treating.ts';

export { recurring } from './counting.ts';
export { applyLedger } from './erasing.ts';
export { excerpts } from './excerpts.ts';
export { feedTexts } from './feed-texts.ts';
export { renderedContent } from './rendering.ts';
export { treatmentReactions } from './treating.ts';

/** Every reaction of articles; erasures are kept in this ledger, texts rendered for this site. */
export function reactionsWith(parts: {
  readonly ledger: Ledger;
  readonly text: TextWork;
  readonly site: Site;
}): readonly Reaction[] {
  return [
    ...erasureReactions(parts.ledger),
    renderingReaction(parts.text, parts.site),
    ...treatmentReactions,
    ...countReactions,
  ];
}
