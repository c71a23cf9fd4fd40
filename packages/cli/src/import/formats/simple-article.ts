// An article of a format that keeps one text of it, and files that are found by their address.
import { createHash } from 'node:crypto';
import { limits } from '@colophon/contract';
import type {
  AddressOf,
  Disclosure,
  OriginKey,
  SourceArticle,
  SourceMedia,
  UrlOf,
  Visibility,
} from '../source.ts';
import { fittedLanguage, fittedTopics } from './fitting.ts';

export interface SimpleArticle {
  readonly key: OriginKey;
  readonly title: string;
  /** What the title is taken from, if there is none. */
  readonly fallbackTitle: string;
  readonly isPublished: boolean;
  readonly visibility?: Visibility | undefined;
  readonly language?: string | undefined;
  readonly disclosure?: Disclosure | undefined;
  readonly canonicalUrl?: string | null | undefined;
  readonly publishedAt?: string | undefined;
  /** Names of tags and categories: those that fit become `metadata.topics`. */
  readonly topics: readonly string[];
  /** The other metadata. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The metadata that the hash of the source is made of, where some of it is not published. */
  readonly hashed?: Readonly<Record<string, unknown>> | undefined;
  /** Members of `metadata.origin`. */
  readonly origin: Readonly<Record<string, unknown>>;
  readonly media: readonly SourceMedia[];
  readonly featured?: SourceMedia | undefined;
  readonly notes: readonly string[];
  readonly written?: SourceArticle['written'];
  /** The text at the source: its hash tells whether the article has changed. */
  readonly sourceText: string;
  /** Articles of the same source to which it links: by their id, the link as it is written. */
  readonly linksTo: ReadonlyMap<string, string>;
  /** Returns the Markdown, with links to the uploaded files and the imported articles. */
  render(urlOf: UrlOf, addressOf: AddressOf): Promise<string>;
}

function fittedTitle(title: string, fallback: string): { title: string; notes: readonly string[] } {
  const whole = title.replaceAll(/\s+/g, ' ').trim();
  const given = whole === '' ? fallback.replaceAll(/\s+/g, ' ').trim() : whole;
  const points = [...(given === '' ? 'Untitled' : given)];
  const untitled = whole === '' ? ['It has no title: its first words are used.'] : [];
  const most = whole === '' ? 60 : limits.title_max;
  if (points.length <= most) return { title: points.join(''), notes: untitled };
  const cut = `${points
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`;
  const long = [`Its title has ${points.length} characters, and is cut to ${limits.title_max}.`];
  return { title: cut, notes: whole === '' ? untitled : long };
}

/** Returns a web address as the service takes it; undefined for any other one. */
function webAddress(written: string): string | undefined {
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) return undefined;
  const { username, password, href } = new URL(written);
  // What a browser would request; an address that needs no encoding stays as it is.
  const address = /^[!-~]+$/.test(written) ? written : href;
  return username + password === '' && address.length <= limits.uri_max ? address : undefined;
}

/** An address that is wrong at the origin must not cost the article. */
function fittedAddress(given: string | null | undefined) {
  const written = given?.trim() ?? '';
  const address = webAddress(written) ?? null;
  if (written === '' || address !== null) return { address, notes: [] };
  const shown = written.length > 100 ? `${written.slice(0, 99)}…` : written;
  const note = `Its canonical address (${shown}) is not a web address that the service takes. It is left out.`;
  return { address, notes: [note] };
}

/** Returns metadata without its empty members. */
export function filledMetadata(
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isFilled = (value: unknown) =>
    value !== undefined &&
    value !== null &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isFilled(value)));
}

/** A future time would be refused, and the author has not published the article yet. */
function isAhead(time: string | undefined): boolean {
  return time !== undefined && Date.parse(time) > Date.now();
}

/** Says why an article that the author has scheduled is a draft. */
export function scheduledNote(time: string | undefined): string {
  return `It was scheduled${time === undefined ? '' : ` for ${time}`}, and is imported as a draft.`;
}

function hashOf(
  { title, sourceText, metadata, hashed = metadata }: SimpleArticle,
  topics: readonly string[],
): string {
  const whole = filledMetadata({ topics, ...hashed });
  const hash = createHash('sha256').update(JSON.stringify([title, sourceText, whole]));
  return `sha256:${hash.digest('hex')}`;
}

function allMedia({ media, featured }: SimpleArticle): readonly SourceMedia[] {
  return featured === undefined || media.includes(featured) ? media : [...media, featured];
}

/** Returns the article as an import takes it: one text, its hash, and what did not fit. */
export function simpleArticle(simple: SimpleArticle): SourceArticle {
  const { title, notes } = fittedTitle(simple.title, simple.fallbackTitle);
  const ahead = simple.isPublished && isAhead(simple.publishedAt);
  const { featured } = simple;
  const topics = fittedTopics(simple.topics);
  const language = fittedLanguage(simple.language);
  const metadata = filledMetadata({ topics: topics.value, ...simple.metadata });
  const contentHash = hashOf(simple, topics.value);
  const canonical = fittedAddress(simple.canonicalUrl);
  return {
    key: simple.key,
    title,
    visibility: simple.visibility ?? 'public',
    language: language.value,
    disclosure: simple.disclosure,
    canonicalUrl: canonical.address,
    publishedAt: simple.publishedAt,
    contentHashes: [contentHash],
    publications: simple.isPublished && !ahead ? [0] : [],
    media: allMedia(simple),
    featured,
    notes: [
      ...notes,
      ...(ahead ? [scheduledNote(simple.publishedAt)] : []),
      ...canonical.notes,
      ...language.notes,
      ...topics.notes,
      ...simple.notes,
    ],
    written: simple.written,
    linksTo: simple.linksTo,
    revisions: async (urlOf, addressOf = () => undefined) => {
      const content = await simple.render(urlOf, addressOf);
      return [{ title, content, metadata, contentHash, origin: [simple.origin] }];
    },
  };
}
