// Writes feeds in a worker thread: the library loads in 60 ms and escapes up to a megabyte of HTML.
import { problem } from '#http';
import { openThreads } from '@colophon/text';
import type { FeedFormat } from '../components/page-frame.ts';
import type { Feed } from './feed.ts';
import type { FeedTask } from './write-feed.ts';

export interface FeedWriting extends AsyncDisposable {
  /** Returns the feed as text. @throws unavailable: when no thread can write it now */
  readonly writeFeed: (format: FeedFormat, feed: Feed) => Promise<string>;
}

/** Opens the feed writing. No thread starts until the first feed. */
export function openFeedWriting(onError: (error: Error) => void): FeedWriting {
  const options = {
    file: new URL('write-feed.ts', import.meta.url),
    threads: 1,
    memoryMb: 256,
    deadlineMs: 5_000,
    idleMs: 60_000,
    waiting: 64,
  };
  const threads = openThreads<FeedTask, string>(options, onError);
  return {
    writeFeed: async (format, feed) => {
      const { result } = await threads.run({ format, feed }, undefined);
      if (result !== null) return result;
      const detail = 'Too many requests for feeds are waiting. Try again in a few seconds.';
      throw problem('unavailable', detail, { retry_after_seconds: 2 });
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
