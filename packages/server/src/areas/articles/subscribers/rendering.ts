// The subscriber that renders a published text once and stores the HTML.
import type { Database } from '#database';
import type { ArticleChanged, Delivered, Subscriber, SubscriberServices } from '#outbox';
import { preformat, rendererFor } from '@colophon/text';
import type { Rendered, Site, TextWork } from '@colophon/text';
import type { RowKey } from '#lib/id';
import { findRendering, insertRendering, listUnrendered } from '../queries/index.ts';
import type { ContentKey, RenderingRow } from '../queries/index.ts';

/** The services that rendering needs. */
export interface RenderingServices {
  readonly db: Database;
  readonly text: Pick<TextWork, 'render'>;
  readonly site: Site;
  now(): Date;
}

/** Renders the text of an article below its title and scans it for content made for machines. */
function render({ text, site }: Pick<RenderingServices, 'text' | 'site'>, markdown: string) {
  return text.render(markdown, { site, below: 1, look: true });
}

/** Renders a text and stores the result, unless the renderer was busy. */
export async function renderAndKeep(
  services: RenderingServices,
  key: ContentKey,
  markdown: string,
): Promise<Rendered> {
  const { db, site, now } = services;
  const rendered = await render(services, markdown);
  // A text that was not tried because the renderer was busy is tried again later.
  if (rendered.reason !== 'busy') {
    const kept = { ...rendered, version: rendererFor(site), now: now() };
    await db.transaction(async (tx) => void insertRendering(tx, key, kept));
  }
  return rendered;
}

/** The number of texts that are rendered concurrently. */
const rendersAtOnce = 4;

/**
 * Renders the texts that articles have published and stores up to four of them per transaction. Texts already
 * rendered are skipped.
 */
async function renderPublished(
  services: RenderingServices,
  places: readonly RowKey[],
): Promise<void> {
  const { db, site, now } = services;
  const texts = await listUnrendered(db, places, rendererFor(site));
  for (let from = 0; from < texts.length; from += rendersAtOnce) {
    const some = texts.slice(from, from + rendersAtOnce);
    const made = await Promise.all(some.map(({ content }) => render(services, content)));
    const version = rendererFor(site);
    const kept = some.flatMap(({ bucket, hash }, index) => {
      const rendered = made[index];
      return rendered === undefined || rendered.reason === 'busy'
        ? []
        : [{ key: { bucket, hash }, rendered: { ...rendered, version, now: now() } }];
    });
    if (kept.length > 0)
      await db.transaction(async (tx) => {
        for (const { key, rendered } of kept) void insertRendering(tx, key, rendered);
      });
    // The next attempt renders only those.
    if (made.some(({ reason }) => reason === 'busy'))
      throw new Error('Texts wait to be rendered: the machine is busy.');
  }
}

/** Returns the subscriber that renders each published text once. Texts already rendered are skipped. */
export function renderingSubscriber(text: TextWork, { baseUrl, mediaBaseUrl }: Site): Subscriber {
  const site = { baseUrl, mediaBaseUrl };
  const run = (
    messages: readonly Delivered<ArticleChanged>[],
    { db, now }: Pick<SubscriberServices, 'db' | 'now'>,
  ) =>
    renderPublished(
      { db, text, site, now },
      messages.map(({ bucket, payload }) => ({ bucket, id: payload.article_id })),
    );
  const onChanged: Subscriber<ArticleChanged> = {
    type: 'article.changed',
    name: 'renderContent',
    run: (message, services) => run([message], services),
    many: { atOnce: 20, run },
  };
  return onChanged as Subscriber;
}

export interface ShownContent extends RenderingRow {
  /** Safe in any page; for a text that cannot be rendered, the original text. */
  readonly html: string;
}

/** Returns a content for a page: the stored rendering, or else rendered and stored now. */
export async function renderedContent(
  services: RenderingServices,
  key: ContentKey,
  markdown: string,
): Promise<ShownContent> {
  const kept = await findRendering(services.db, key, rendererFor(services.site));
  const { html, headings, reason } = kept ?? (await renderAndKeep(services, key, markdown));
  return { html: html ?? preformat(markdown), headings, reason };
}
