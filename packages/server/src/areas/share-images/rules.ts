// What an article's share image shows, and whether it has one.
import type { Card } from '@colophon/share-images';
import { visibleText } from '@colophon/text/lib/visible-text';
import { directionOfPart } from '@colophon/text/lib/writing-direction';
import type { PicturedRow } from './queries.ts';

/** Returns the service's address without scheme and trailing slash. */
export function hostOf(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/**
 * Returns undefined if the article is not open to everyone with its address; then nothing of it is drawn.
 */
export function cardOf(row: PicturedRow, host: string): Card | undefined {
  const isOpen = row.status === 'published' && row.visibility !== 'private';
  if (!isOpen || row.published_revision_id === null || row.title === null) return undefined;
  const title = visibleText(row.title) || 'Untitled';
  return {
    title,
    language: row.language,
    direction: directionOfPart(row.language, title),
    kind: row.author_kind,
    username: row.username,
    displayName: visibleText(row.display_name ?? '') || null,
    ownerUsername: row.owner_username,
    disclosure: row.disclosure,
    host,
  };
}
