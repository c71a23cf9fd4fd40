// Comments and guides as HTML: rendered in fair turns, for a bounded time for each page, and kept for the next reader.
import { hash } from 'node:crypto';
import { openTurns, preformatted } from '#text';
import type { Client } from '#text';
import { openKeptTexts } from './kept-texts.ts';
import type { ShortText } from './page-services.ts';

/** Of a comment: the heading of the comments stands above it, and that of the article above this one. */
const belowComments = 3;

interface Bounds {
  /** UTF-16 units of HTML that are kept. */
  readonly keptMax: number;
  /** Milliseconds that a page waits for all of its texts. */
  readonly pageMs: number;
}

const usual: Bounds = { keptMax: 2_000_000, pageMs: 8_000 };

/** A thread of the pool stays free for the texts of articles while one address has all of its pages rendered. */
const turns = { atOnce: 2, waiting: 512, waitingEach: 64 };

/** Runs one piece of work after the other, until the time is over; undefined for what had no time. */
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

/** Whose share of the memory the service's own texts count in. */
const ownShare = 'own';

/**
 * Makes the function that renders the texts of one page for a client, one after the other. Clients take
 * turns; undefined is the service itself, whose guides nobody is charged for. A text that is refused, or that the page has no time for, is shown as it was written.
 */
export function openShortTexts(
  render: (markdown: string, below: number, client: Client | undefined) => Promise<ShortText>,
  { keptMax, pageMs }: Bounds = usual,
) {
  const kept = openKeptTexts(keptMax);
  const takeTurn = openTurns(turns);

  return (client: Client | undefined) => {
    const queue = openQueue(pageMs);

    async function made(key: string, markdown: string, below: number): Promise<string | undefined> {
      const turn = await takeTurn(client);
      if (typeof turn === 'string') return undefined;
      using _turn = turn;
      // Another page may have had it rendered while this one waited, or this one waited for too long.
      const known = kept.get(key);
      if (known !== undefined || queue.isOver()) return known;
      const text = await render(markdown, below, client);
      if (text.kept) kept.keep(client?.address ?? ownShare, key, text.html);
      return text.html;
    }

    return async (markdown: string, below = belowComments): Promise<string> => {
      const key = hash('sha256', `${below} ${markdown}`, 'base64url');
      const known = kept.get(key);
      if (known !== undefined) return known;
      const html = await queue.run(() => made(key, markdown, below));
      return html ?? preformatted(markdown);
    };
  };
}
