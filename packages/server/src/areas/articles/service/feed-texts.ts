// The texts of several articles for a feed: what the pipeline has rendered, and the rest now.
import { preformatted, rendererFor } from '#text';
import type { RenderingServices } from '../subscribers/rendering.ts';
import { renderAndKeep } from '../subscribers/rendering.ts';
import { listFeedTexts } from '../queries/index.ts';
import type { FeedTextRow } from '../queries/index.ts';

/** Characters. Writing a feed takes the event loop by its length, and no reader wants more at once. */
const room = { textMax: 200_000, feedMax: 1_000_000 } as const;

async function htmlOf(services: RenderingServices, row: FeedTextRow): Promise<string | null> {
  const { html, content, bucket, hash } = row;
  if (html !== null || content === null) return html;
  const rendered = row.unrendered
    ? await renderAndKeep(services, { bucket, hash }, content)
    : { html: null };
  const made = rendered.html ?? preformatted(content);
  return made.length <= room.textMax ? made : null;
}

/** HTML is longer than the text that it was made of: what the feed has no room for after all is left out. */
function thatFit(texts: readonly (string | null)[]): readonly (string | null)[] {
  let length = 0;
  return texts.map((html) => {
    length += html?.length ?? 0;
    return length <= room.feedMax ? html : null;
  });
}

/**
 * By id, the HTML of those of these articles that are listed at this moment; null in place of what is too
 * long, or stands behind what fills the feed. One round trip where all of them are rendered.
 */
export async function feedTexts(services: RenderingServices, ids: readonly string[]) {
  if (ids.length === 0) return new Map();
  const version = rendererFor(services.site);
  const rows = await listFeedTexts(services.db, ids, { version, ...room });
  const texts = thatFit(await Promise.all(rows.map((row) => htmlOf(services, row))));
  return new Map(
    rows.map(({ id, revision_id, revised_at }, index) => [
      id,
      { revision_id, revised_at, html: texts[index] ?? null },
    ]),
  );
}
