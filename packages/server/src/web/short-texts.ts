// Comments and guides as HTML: rendered in fair turns, within a time limit per page, and cached.
import { hash } from 'node:crypto';
import { openTurns, preformat } from '@colophon/text';
import type { Client } from '@colophon/text';
import { openKeptTexts } from './kept-texts.ts';
import type { RenderedText } from './page-services.ts';

/** Headings in a comment are below the heading of the comments, which is below that of the article. */
const belowComments = 3;

interface Bounds {
  /** UTF-16 units of HTML that are cached. */
  readonly keptMax: number;
  /** Milliseconds that a page waits for all of its texts together. */
  readonly pageMs: number;
}

const usual: Bounds = { keptMax: 2_000_000, pageMs: 8_000 };

/**
 * One thread of the pool stays free for the texts of articles while one address has all of its pages
 * rendered.
 */
const turns = { atOnce: 2, waiting: 512, waitingEach: 64 };

/**
 * Opens a queue that runs one piece of work after another until the time is over. Work that had no time gives
 * undefined.
 */
function openQueue(ms: number) {
  const over = Promise.withResolvers<undefined>();
  let deadline: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const end = () => {
    isOver = true;
    over.resolve(undefined);
  };
  return {
    isOver: () => isOver,
    async run<T>(work: () => Promise<T>): Promise<T | undefined> {
      deadline ??= performance.now() + ms;
      timer ??= setTimeout(end, deadline - performance.now());
      waiting += 1;
      const done = last.then(() => (isOver ? undefined : work()));
      last = done.catch(() => undefined);
      try {
        return await Promise.race([done, over.promise]);
      } finally {
        waiting -= 1;
        if (waiting === 0) {
          clearTimeout(timer);
          timer = undefined;
        }
      }
    },
  };
}

/** The cache share of the service's own texts. */
const ownShare = 'own';

/**
 * Returns a function that renders the texts of one page for a client, one after another. Clients take turns.
 * An undefined client is the service itself, whose guides are charged to no client. A text that is refused,
 * or that the page has no time for, is shown as plain text.
 */
export function openShortTexts(
  render: (markdown: string, below: number, client: Client | undefined) => Promise<RenderedText>,
  { keptMax, pageMs }: Bounds = usual,
) {
  const kept = openKeptTexts(keptMax);
  const takeTurn = openTurns(turns);

  return (client: Client | undefined) => {
    const queue = openQueue(pageMs);
    let missed = 0;

    async function made(key: string, markdown: string, below: number): Promise<string | undefined> {
      const turn = await takeTurn(client);
      if (typeof turn === 'string') return undefined;
      using _turn = turn;
      // Another page may have rendered it while this one waited, or this one may have waited too long.
      const known = kept.get(key);
      if (known !== undefined || queue.isOver()) return known;
      const text = await render(markdown, below, client);
      if (text.kept) kept.keep(client?.address ?? ownShare, key, text.html);
      else missed += 1;
      return text.html;
    }

    async function show(markdown: string, below = belowComments): Promise<string> {
      const key = hash('sha256', `${below} ${markdown}`, 'base64url');
      const known = kept.get(key);
      if (known !== undefined) return known;
      const html = await queue.run(() => made(key, markdown, below));
      if (html === undefined) missed += 1;
      return html ?? preformat(markdown);
    }

    /** Whether all texts of the page so far are shown as they will be on the next request. */
    return Object.assign(show, { isWhole: () => missed === 0 });
  };
}
