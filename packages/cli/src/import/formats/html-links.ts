// Addresses in the HTML of an article: those of files and of other articles, and what they become.
import type { AddressOf, SourceMedia, UrlOf } from '../source.ts';

/** Returns the part of an address that names a place in a page, with its `#`. */
export function fragmentOf(address: string): string {
  const at = address.indexOf('#');
  return at < 0 ? '' : address.slice(at);
}

export interface Resolved {
  readonly media: ReadonlyMap<string, SourceMedia>;
  /** Ids of articles by address. */
  readonly articles: ReadonlyMap<string, string>;
}

/** Finds the articles that addresses lead to. */
export function articlesAt(
  addresses: Iterable<string>,
  idOf: (address: string) => string | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    [...addresses].flatMap((address) => {
      const id = idOf(address);
      return id === undefined ? [] : [[address, id] as const];
    }),
  );
}

/** Returns the first address of each article by its id. */
export function linksToOf(articles: Resolved['articles']): ReadonlyMap<string, string> {
  return new Map([...articles].toReversed().map(([address, id]) => [id, address]));
}

/** Returns the new addresses by the former ones. */
export function newAddresses(
  { media, articles }: Resolved,
  urlOf: UrlOf,
  addressOf: AddressOf,
): ReadonlyMap<string, string> {
  const files = [...media].map(([address, used]) => [address, urlOf(used)] as const);
  const links = [...articles].map(([address, id]) => {
    const found = addressOf(id);
    return [address, found === undefined ? undefined : found + fragmentOf(address)] as const;
  });
  return new Map(
    [...links, ...files].flatMap(([address, url]) => (url === undefined ? [] : [[address, url]])),
  );
}
