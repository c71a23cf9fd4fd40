// Links inside a WordPress site: from the address of an article to its id.

/** The members of an item that name its addresses. */
interface Addresses {
  readonly id: string;
  readonly link: string;
  readonly guid: string;
}

/** Splits an address into its host, which a relative one lacks, and what follows, without the fragment. */
function partsOf(address: string): readonly [host: string | undefined, rest: string] {
  const [, host, rest = ''] = /^(?:https?:\/\/(?:www\.)?([^/?#]+))?([^#]*)/i.exec(address) ?? [];
  return [host?.toLowerCase(), rest];
}

/** Returns path or number of an address of the site; undefined for one of another site. */
function addressKey(site: string, address: string): string | undefined {
  const [host, rest] = partsOf(address);
  const isOwn = host === undefined ? /^[/?](?!\/)/.test(rest) : host === partsOf(site)[0];
  if (!isOwn) return undefined;
  const [path = '', query = ''] = rest.split('?');
  const [, number] = /(?:^|&)(?:p|page_id)=(\d+)(?:&|$)/.exec(query) ?? [];
  if (number !== undefined) return `#${number}`;
  return path.replace(/\/$/, '').toLowerCase() || undefined;
}

/** Ids of articles by the form of their address. */
export type LinkIndex = ReadonlyMap<string, string>;

/** Returns the addresses of all articles. Where two have the same address, the first one counts. */
export function linkIndexOf(site: string, articles: readonly Addresses[]): LinkIndex {
  const links = articles.flatMap(({ id, link, guid }) =>
    [`#${id}`, addressKey(site, link), addressKey(site, guid)].flatMap((key) =>
      key === undefined ? [] : [[key, id] as const],
    ),
  );
  return new Map(links.toReversed());
}

/** Returns the id of the article that an address leads to. */
export function articleAt(site: string, links: LinkIndex, address: string): string | undefined {
  const key = addressKey(site, address);
  return key === undefined ? undefined : links.get(key);
}
