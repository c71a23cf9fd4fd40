// What follows a change: the published text is rendered once, and kept.
import type { Database } from '#database';
import type { ArticleChanged, Reaction } from '#outbox';
import { preformatted, rendererFor } from '#text';
import type { Rendered, Site, TextWork } from '#text';
import { findRendering, findUnrendered, insertRendering } from '../queries/index.ts';
import type { ContentKey, RenderingRow } from '../queries/index.ts';

/** What rendering works with. */
export interface RenderingServices {
  readonly db: Database;
  readonly text: Pick<TextWork, 'render'>;
  readonly site: Site;
  now(): Date;
}

/** Renders a text and keeps what became of it, unless there was no time to try. */
export async function renderAndKeep(
  { db, text, site, now }: RenderingServices,
  key: ContentKey,
  markdown: string,
): Promise<Rendered> {
  const rendered = await text.render(markdown, { site });
  // What was only not tried is worth another try.
  if (rendered.reason !== 'busy') {
    const kept = { ...rendered, version: rendererFor(site), now: now() };
    await db.transaction(async (tx) => void insertRendering(tx, key, kept));
  }
  return rendered;
}

/** Renders what an article has published, once for each text; a text that is done is not touched. */
export function renderingReaction(text: TextWork, { baseUrl, mediaBaseUrl }: Site): Reaction {
  const site = { baseUrl, mediaBaseUrl };
  const onChanged: Reaction<ArticleChanged> = {
    type: 'article.changed',
    name: 'renderContent',
    run: async ({ bucket, payload }, { db, now }) => {
      const place = { bucket, id: payload.article_id };
      const content = await findUnrendered(db, place, rendererFor(site));
      if (content === undefined) return;
      const key = { bucket, hash: content.hash };
      const { reason } = await renderAndKeep({ db, text, site, now }, key, content.content);
      if (reason === 'busy') throw new Error('Too many texts wait to be rendered.');
    },
  };
  return onChanged as Reaction;
}

export interface ShownContent extends RenderingRow {
  /** Safe in any page; of a text that cannot be rendered, the text as it was written. */
  readonly html: string;
}

/** A content for a page: what is kept of it, or else rendered now and kept. */
export async function renderedContent(
  services: RenderingServices,
  key: ContentKey,
  markdown: string,
): Promise<ShownContent> {
  const kept = await findRendering(services.db, key, rendererFor(services.site));
  const rendered = kept ?? (await renderAndKeep(services, key, markdown));
  return { ...rendered, html: rendered.html ?? preformatted(markdown) };
}
