// What an import reads: articles with their texts and files, from any format.

/** Ends an import before or between writes, with a sentence that says what to do. */
export function refusal(message: string, cause?: unknown): Error {
  const error = new Error(message, cause === undefined ? {} : { cause });
  error.name = 'ImportRefused';
  return error;
}

/** A refusal of a file whose bytes are wrong: another download may help. */
export function damage(message: string, cause?: unknown): Error {
  return Object.assign(refusal(message, cause), { isDamage: true });
}

export function isDamage(error: unknown): error is Error {
  return isRefusal(error) && 'isDamage' in error;
}

export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ImportRefused';
}

export type MediaKind = 'image' | 'video' | 'audio' | 'document';

/** A file that articles use. */
export interface SourceMedia {
  /** Its address in the source, for reports. */
  readonly name: string;
  /** Undefined for a file of a type that the service does not accept. */
  readonly kind: MediaKind | undefined;
  readonly size: number;
  readonly altText: string | null;
  /** In hexadecimal digits, if the source names it: then a file that was uploaded before is not read. */
  readonly sha256: string | undefined;
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Where an article comes from. Two articles with the same service and id are the same article. */
export interface OriginKey {
  readonly service: string;
  readonly id: string;
}

/** One text of an article, as it is sent. */
export interface Text {
  readonly title: string;
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SourceRevision extends Text {
  /** Its hash at the origin, or of its source. It is kept in `metadata.origin`. */
  readonly contentHash: string;
  /** More members of `metadata.origin`. Where there is no room, the last groups are left out. */
  readonly origin: readonly Readonly<Record<string, unknown>>[];
}

/** Returns the address of a file at the service, or undefined for a file that could not be uploaded. */
export type UrlOf = (media: SourceMedia) => string | undefined;

/** Returns the address of an article of the same source, by its id; undefined if there is none to link to. */
export type AddressOf = (id: string) => string | undefined;

export type Visibility = 'public' | 'unlisted' | 'private';
export type Disclosure = 'human_authored' | 'ai_assisted' | 'ai_generated';

export interface SourceArticle {
  readonly key: OriginKey;
  readonly title: string;
  readonly visibility: Visibility;
  readonly language: string | undefined;
  readonly disclosure: Disclosure | undefined;
  readonly canonicalUrl: string | null;
  readonly publishedAt: string | undefined;
  /** Hashes of the texts, oldest first. */
  readonly contentHashes: readonly string[];
  /** Indexes of the texts to publish, in this order; readers see the last one. Empty for a draft. */
  readonly publications: readonly number[];
  readonly media: readonly SourceMedia[];
  readonly featured: SourceMedia | undefined;
  /** Sentences about what could not be taken over. */
  readonly notes: readonly string[];
  /** Of a file into which `colophon publish` or `colophon pull` may have written which article it is. */
  readonly written?:
    | { readonly id: string; readonly revision_id: string; readonly file: string }
    | undefined;
  /** Articles of the same source to which its texts link: by their id, the link as it is written. */
  readonly linksTo: ReadonlyMap<string, string>;
  /** Returns the texts, oldest first, with links to the uploaded files and the imported articles. */
  revisions(urlOf: UrlOf, addressOf?: AddressOf): Promise<readonly SourceRevision[]>;
}

/** An article that cannot be imported, and why. */
export interface Unfit {
  readonly key: OriginKey;
  readonly title: string;
  readonly unfit: string;
}

export interface ParseLimit {
  /** The most processor time that one text may take, in milliseconds. Default 10 seconds. */
  readonly parseMs?: number | undefined;
}

/** Opened for reading: everything that can be checked without the service has been checked. */
export interface Source extends AsyncDisposable {
  /** For people: `Colophon archive of ada at https://example.org`. */
  readonly title: string;
  readonly articleCount: number;
  /** Sentences about what the format contains and an import does not take. */
  readonly leftOut: readonly string[];
  /** Reads all articles, or only those with these ids, in the same order each time. */
  articles(only?: ReadonlySet<string>): AsyncIterable<SourceArticle | Unfit>;
}
