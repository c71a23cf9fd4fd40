// Adapts rendered Markdown to a page: unique ids, and links to them.

/** Prefixes ids and the links to them with a name. Every id of the renderer begins with `md`. */
export function prefixIds(safe: string, name: string): string {
  return safe.replaceAll(/ (id|href)="(#?)md(?=[-:])/g, ` $1="$2${name}-md`);
}

/** Makes links within the text absolute, for readers outside of the page. */
export function absoluteLinks(safe: string, address: string): string {
  return safe.replaceAll(/ href="#md(?=[-:])/g, ` href="${address}#md`);
}
