// Rendered Markdown fitted into a page: ids that no other text has, and addresses that lead into it.

/** Ids and what leads to them, with a name in front. The renderer begins each of its own with `md`. */
export function named(safe: string, name: string): string {
  return safe.replaceAll(/ (id|href)="(#?)md(?=[-:])/g, ` $1="$2${name}-md`);
}

/** Leads to places in the text by whole addresses, for readers outside of the page. */
export function placed(safe: string, address: string): string {
  return safe.replaceAll(/ href="#md(?=[-:])/g, ` href="${address}#md`);
}
