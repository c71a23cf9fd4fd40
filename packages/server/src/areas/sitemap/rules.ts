// The entity tags of the sitemap's versions.
import { hash } from 'node:crypto';

/**
 * Returns the entity tag, without quotes, of a file or of the index, from its count, its date and the host.
 */
export function sitemapTag(
  baseUrl: string,
  files: readonly {
    readonly number: number;
    readonly entries: number;
    readonly changed_at: string;
  }[],
): string {
  const listed = files.map(({ number, entries, changed_at }) => [number, entries, changed_at]);
  return hash('sha1', JSON.stringify([baseUrl, listed]), 'base64url').slice(0, 12);
}
