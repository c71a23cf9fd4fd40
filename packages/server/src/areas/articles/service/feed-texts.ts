// The texts of several articles for a feed: stored renderings, and the rest rendered now.
import { preformat, rendererFor } from '@colophon/text';
import type { RenderingServices } from '../subscribers/rendering.ts';
import { renderAndKeep } from '../subscribers/rendering.ts';
import { listFeedTexts } from '../queries/index.ts';
import type { FeedTextRow } from '../queries/index.ts';

/**
 * In characters. Writing a feed blocks the event loop in proportion to its length, and readers need no more.
 */
const room = { textMax: 200_000, feedMax: 1_000_000 } as const;

async function htmlOf(services: RenderingServices, row: FeedTextRow): Promise<string | null> {
  const { html, content, bucket, hash } = row;
  if (html !== null || content === null) return html;
  const rendered = row.unrendered
    ? await renderAndKeep(services, { bucket, hash }, content)
    : { html: null };
  const made = rendered.html ?? preformat(content);
  return made.length <= room.textMax ? made : null;
}

/** HTML is longer than its source text: texts that no longer fit the feed are omitted. */
function thatFit(texts: readonly (string | null)[]): readonly (string | null)[] {
  let length = 0;
  return texts.map((html) => {
    length += html?.length ?? 0;
    return length <= room.feedMax ? html : null;
  });
}

/**
 * Returns by id the HTML of those articles that are listed now; null for a text that is too long or beyond
 * the limit of the feed. One round trip when all of them are rendered.
 */
export async function feedTexts(services: RenderingServices, ids: readonly string[]) {
  if (ids.length === 0) return new Map();
  const version = rendererFor(services.site);
  const rows = await listFeedTexts(services.db, ids, { version, ...room });
  const texts = thatFit(await Promise.all(rows.map((row) => htmlOf(services, row))));
  return new Map(
    rows.map(({ id, revision_id, revised_at, html, unrendered }, index) => [
      id,
      { revision_id, revised_at, html: texts[index] ?? null, kept: html !== null || !unrendered },
    ]),
  );
}
