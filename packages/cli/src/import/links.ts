// Links between the articles of one import: which of them have an address, and which stay as they are.
import type { AddressOf, SourceArticle } from './source.ts';
import type { Linkable, Writing } from './writing.ts';

/** Whether readers of the source see the article. */
function isShownAtSource({ publications, visibility }: SourceArticle): boolean {
  return publications.length > 0 && visibility !== 'private';
}

/** Returns the address with the id alone: it names no title, and works after a change of the title. */
function lastingAddress(url: string, id: string): string {
  return url.slice(0, url.lastIndexOf('/') + 1) + id;
}

/** Returns what others may link to. */
export function linkableOf(
  article: SourceArticle,
  { id, url }: { readonly id: string; readonly url: string },
): Linkable {
  return { address: lastingAddress(url, id), isShown: isShownAtSource(article) };
}

/** Text that readers see must not lead them to drafts and private articles. */
export function addressOfLinks(
  { linkables }: Pick<Writing, 'linkables'>,
  article: SourceArticle,
): AddressOf {
  const isPublic = isShownAtSource(article);
  return (id) => {
    const found = linkables.get(id);
    return found === undefined || (isPublic && !found.isShown) ? undefined : found.address;
  };
}

/** Sentences about the links that stay as they are. */
export function linkNotes({ linksTo }: SourceArticle, addressOf: AddressOf): readonly string[] {
  return [...linksTo].flatMap(([id, written]) =>
    addressOf(id) === undefined
      ? [`${written} is not linked: what it leads to is not imported, or not shown to readers.`]
      : [],
  );
}
