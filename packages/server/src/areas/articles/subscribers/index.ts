// Every subscriber of articles.
import type { Ledger } from '#ledger';
import type { Subscriber } from '#outbox';
import type { Site, TextWork } from '#text';
import { countSubscribers } from './counting.ts';
import { erasureSubscribers } from './erasing.ts';
import { renderingSubscriber } from './rendering.ts';
import { treatmentSubscribers } from './treating.ts';

export { recurring } from './counting.ts';
export { applyLedger } from './erasing.ts';
export { feedTexts } from '../service/feed-texts.ts';
export { renderedContent } from './rendering.ts';
export { treatmentSubscribers } from './treating.ts';

/**
 * Returns every subscriber of articles. Erasures are stored in this ledger, and texts are rendered for this
 * site.
 */
export function subscribersWith(parts: {
  readonly ledger: Ledger;
  readonly text: TextWork;
  readonly site: Site;
}): readonly Subscriber[] {
  return [
    ...erasureSubscribers(parts.ledger),
    renderingSubscriber(parts.text, parts.site),
    ...treatmentSubscribers,
    ...countSubscribers,
  ];
}
