// The last steps of an article: its featured image, and its publications in order.
import type { SourceArticle } from './source.ts';
import { stepKey } from './writing.ts';
import type { Target, Writing } from './writing.ts';

/** A time ahead of the clock would be refused; readers then see the time of the import. */
function publishedAt({ publishedAt: time }: SourceArticle): string | undefined {
  return time !== undefined && Date.parse(time) <= Date.now() ? time : undefined;
}

interface Step {
  readonly index: number;
  readonly isLast: boolean;
}

/** Returns the publications that are still to be made. */
function stepsOf({ publications }: SourceArticle, { shown }: Target): readonly Step[] {
  const done = shown === 0 ? 0 : publications.indexOf(shown - 1) + 1;
  return publications
    .map((index, order) => ({ index, isLast: order === publications.length - 1 }))
    .slice(done);
}

/** Makes the article visible right before its last publication, which is checked first. */
async function widen(
  { client, pace }: Writing,
  article: SourceArticle,
  target: Target,
  revision_id: string | undefined,
): Promise<void> {
  const { id } = target;
  await pace.call(() => client.publishArticle({ id, revision_id, dry_run: true }));
  await pace.call(() => client.updateArticle({ id, visibility: article.visibility }));
  target.visibility = article.visibility;
}

async function publish(writing: Writing, article: SourceArticle, target: Target, step: Step) {
  const { client, pace } = writing;
  const { id } = target;
  const revision_id = target.revisions[step.index];
  const isPrivate = article.publications.length > 1 && target.visibility !== article.visibility;
  if (step.isLast && isPrivate) await widen(writing, article, target, revision_id);
  const input = { id, revision_id, published_at: publishedAt(article) };
  const idempotencyKey = stepKey(article, `publish ${step.index + 1}`);
  await pace.call(() => client.publishArticle(input, { idempotencyKey }));
  target.status = 'published';
  target.shown = step.index + 1;
  target.isChanged = true;
}

/** Publishes what was published at the origin; a draft stays a draft. */
export async function publishAll(
  writing: Writing,
  article: SourceArticle,
  target: Target,
  featuredId: string | undefined,
): Promise<void> {
  const { client, pace } = writing;
  if (featuredId !== undefined && !target.hasFeatured) {
    const input = { id: target.id, featured_media_id: featuredId };
    await pace.call(() => client.updateArticle(input));
    target.hasFeatured = true;
    target.isChanged = true;
  }
  for (const step of stepsOf(article, target)) await publish(writing, article, target, step);
}
