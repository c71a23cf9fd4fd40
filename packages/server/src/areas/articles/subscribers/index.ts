// Every subscriber of articles.
import type { Subscriber } from '#outbox';
import type { Site, TextWork } from '@colophon/text';
import { countSubscribers } from './counting.ts';
import { detectingSubscriber } from './detecting.ts';
import { erasureSubscribers } from './erasing.ts';
import { renderingSubscriber } from './rendering.ts';
import { treatmentSubscribers } from './treating.ts';

export { recurring } from './counting.ts';
export { eraseAgain, recordingErasures } from './erasing.ts';
export { feedTexts } from '../service/feed-texts.ts';
export { renderedContent } from './rendering.ts';
export { treatWorks, treatmentSubscribers } from './treating.ts';

/** Returns every subscriber of articles. Texts are rendered for this site. */
export function subscribersWith(parts: {
  readonly text: TextWork;
  readonly site: Site;
}): readonly Subscriber[] {
  return [
    ...erasureSubscribers,
    detectingSubscriber(parts.text),
    renderingSubscriber(parts.text, parts.site),
    ...treatmentSubscribers,
    ...countSubscribers,
  ];
}
