// How versions of the sitemap are told apart.
import { hash } from 'node:crypto';

/** The entity tag, without quotes, of a file or of the index: what was counted, when, and for which host. */
export function sitemapTag(
  baseUrl: string,
  files: readonly {
    readonly number: number;
    readonly entries: number;
    readonly changed_at: string;
  }[],
): string {
  const told = files.map(({ number, entries, changed_at }) => [number, entries, changed_at]);
  return hash('sha1', JSON.stringify([baseUrl, told]), 'base64url').slice(0, 12);
}
