// The texts of several articles for a feed: what the pipeline has rendered, and the rest now.
import { preformatted, rendererFor } from '#text';
import type { RenderingServices } from './rendering.ts';
import { renderAndKeep } from './rendering.ts';
import { listFeedTexts } from '../queries/index.ts';
import type { FeedTextRow } from '../queries/index.ts';

/** UTF-16 units of a text: a feed of longer ones would weigh more than its readers take. */
const lengthMax = 200_000;

async function htmlOf(services: RenderingServices, row: FeedTextRow): Promise<string | null> {
  const { html, content, bucket, hash } = row;
  if (html !== null || content === null) return html;
  if (!row.unrendered) return preformatted(content);
  const rendered = await renderAndKeep(services, { bucket, hash }, content);
  const made = rendered.html ?? preformatted(content);
  return made.length <= lengthMax ? made : null;
}

/**
 * By id, the HTML of those of these articles that are listed at this moment; null in place of what is too
 * long for a feed. One round trip where all of them are rendered.
 */
export async function feedTexts(services: RenderingServices, ids: readonly string[]) {
  if (ids.length === 0) return new Map();
  const version = rendererFor(services.site);
  const rows = await listFeedTexts(services.db, ids, { version, lengthMax });
  const texts = rows.map(async (row) => {
    const { id, revision_id, revised_at } = row;
    return [id, { revision_id, revised_at, html: await htmlOf(services, row) }] as const;
  });
  return new Map(await Promise.all(texts));
}
