// Links to media and articles of a service inside a text: found, and rewritten to the addresses of the same elsewhere.

interface Link {
  readonly start: number;
  readonly end: number;
  readonly id: string;
}

const pattern = /\/media\/([0-9A-HJKMNP-TV-Z]{26})(?![0-9A-Za-z])/g;
const articlePattern =
  /\/(?:@[\w-]{1,64}\/(?:[^\s/()<>[\]"'`?#]{0,800}-)?|articles\/)([0-9a-hjkmnp-tv-z]{26})(?![0-9a-z])/gi;
/** Before a relative link. Another character would make it a part of a longer address. */
const isPartOfAddress = /[\w.~%:/@-]$/;

function startOf(text: string, at: number, bases: readonly string[]): number | undefined {
  const base = bases.find((each) => text.startsWith(each, at - each.length));
  if (base !== undefined) return at - base.length;
  return isPartOfAddress.test(text.slice(Math.max(0, at - 1), at)) ? undefined : at;
}

function linksIn(text: string, bases: readonly string[], form: RegExp): readonly Link[] {
  const longestFirst = bases.toSorted((a, b) => b.length - a.length);
  return [...text.matchAll(form)].flatMap((match) => {
    const [whole, id = ''] = match;
    const start = startOf(text, match.index, longestFirst);
    const end = match.index + whole.length;
    return start === undefined ? [] : [{ start, end, id: id.toUpperCase() }];
  });
}

/** Returns the links to media in a text, in order. `?w=320` after a link is not part of it. */
export function mediaLinks(text: string, bases: readonly string[]): readonly Link[] {
  return linksIn(text, bases, pattern);
}

/** Returns the links to articles in a text, in order. `#comments` or `.md` after a link is not part of it. */
function articleLinks(text: string, bases: readonly string[]): readonly Link[] {
  return linksIn(text, bases, articlePattern);
}

/** Returns the links of texts to articles of an archive: by their id, the first one as it is written. */
export function archiveLinks(
  texts: readonly string[],
  { bases, ids }: { readonly bases: readonly string[]; readonly ids: ReadonlySet<string> },
): ReadonlyMap<string, string> {
  const links = texts.flatMap((text) =>
    articleLinks(text, bases).map(({ id, start, end }) => [id, text.slice(start, end)] as const),
  );
  return new Map(links.filter(([id]) => ids.has(id)).toReversed());
}

export interface Rewritten {
  readonly text: string;
  /** The former links by the new ones. Replacing them gives the original text. */
  readonly links: Readonly<Record<string, string>> | undefined;
}

/** Replaces every new link by the former one. */
export function restoreLinks(text: string, links: Readonly<Record<string, string>>): string {
  const longestFirst = Object.keys(links).toSorted((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return text;
  const parts = longestFirst.map((link) => link.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return text.replaceAll(new RegExp(parts.join('|'), 'g'), (link) => links[link] ?? link);
}

/** Rewrites the links whose file or article has a new address. */
export function rewriteLinks(
  text: string,
  bases: readonly string[],
  urlOf: (id: string) => string | undefined,
): Rewritten {
  const former: Record<string, string> = {};
  const parts: string[] = [];
  let done = 0;
  const links = [...mediaLinks(text, bases), ...articleLinks(text, bases)];
  for (const { start, end, id } of links.toSorted((a, b) => a.start - b.start)) {
    const url = start < done ? undefined : urlOf(id);
    if (url === undefined) continue;
    parts.push(text.slice(done, start), url);
    former[url] ??= text.slice(start, end);
    done = end;
  }
  const rewritten = parts.join('') + text.slice(done);
  // Two forms of the same link, or a text that contained the new link already, cannot be restored.
  const isReversible = restoreLinks(rewritten, former) === text;
  return { text: rewritten, links: isReversible ? former : undefined };
}
