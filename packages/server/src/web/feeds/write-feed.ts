// The worker side of feed writing.
import { worker } from '@colophon/text/lib/worker';
import type { FeedFormat } from '../components/page-frame.ts';
import type { Feed } from './feed.ts';
import { written } from './formats.ts';

export interface FeedTask {
  readonly format: FeedFormat;
  readonly feed: Feed;
}

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default worker(({ format, feed }: FeedTask): string => written[format](feed));
