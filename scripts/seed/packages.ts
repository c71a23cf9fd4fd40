// Reads the package.json of a package, and makes an article from each of its documents.
import { createHash } from 'node:crypto';
import { limits } from '@colophon/contract';
import canonicalize from 'canonicalize';

export interface PackageFacts {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  readonly keywords: readonly string[];
  readonly homepage: string | undefined;
}

export interface FoundDocument {
  readonly facts: PackageFacts;
  /** Relative to the package's folder, with slashes. */
  readonly path: string;
  readonly content: string;
}

/** The members of an article that are derived from its document. */
export interface SeedArticle {
  readonly title: string;
  readonly content: string;
  readonly metadata: { readonly seed_key: string; readonly [member: string]: unknown };
  readonly canonical_url: string | null;
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function parseLock(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Returns an http or https URL, or undefined; `user/repository` and git addresses become the URLs of their
 * pages.
 */
export function pageAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(text)?.[1];
  const address = (short === undefined ? text : `https://github.com/${short}`)
    .replace(/^git\+/, '')
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
    .replace(/^git@([\w.-]+):/, 'https://$1/')
    .replace(/\.git$/, '');
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) return undefined;
  const { href } = new URL(address);
  return href.length <= limits.uri_max ? href : undefined;
}

/** Parses a package.json; returns undefined when it names no package with a version. */
export function parsePackage(folder: string, text: string): PackageFacts | undefined {
  const manifest = parseLock(text);
  const name = stringOf(manifest['name']);
  const version = stringOf(manifest['version']);
  if (name === undefined || version === undefined) return undefined;
  const { repository, license, keywords } = manifest;
  const inner = (value: unknown, member: string) =>
    stringOf(value) ?? stringOf((value as Record<string, unknown> | null | undefined)?.[member]);
  return {
    folder,
    name,
    version,
    license: inner(license, 'type'),
    keywords: Array.isArray(keywords)
      ? keywords.map(stringOf).filter((word) => word !== undefined)
      : [],
    homepage: pageAddress(stringOf(manifest['homepage'])) ?? pageAddress(inner(repository, 'url')),
  };
}

function codePoints(text: string): number {
  return Array.from(text).length;
}

function topicsOf(keywords: readonly string[]): string[] {
  const fitting = keywords.filter((word) => {
    const length = codePoints(word);
    return length >= limits.topic_min && length <= limits.topic_max;
  });
  return [...new Set(fitting)].slice(0, limits.topics_max);
}

/** Keywords are cut to fit: some packages list hundreds. */
const keywordsBytesMax = limits.metadata_bytes_max / 2;

function keptKeywords(keywords: readonly string[]): string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const word of keywords) {
    bytes += Buffer.byteLength(JSON.stringify(word)) + 1;
    if (bytes > keywordsBytesMax) break;
    kept.push(word);
  }
  return kept;
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}

/** Returns `sha256:` and the hex SHA-256 of the RFC 8785 form of content, metadata and title. */
export function contentHash({ content, metadata, title }: SeedArticle): string {
  return `sha256:${digest({ content, metadata, title })}`;
}

/**
 * Returns the article of a document. Its `metadata.seed_key` identifies it: one per package, version, path
 * and content.
 */
export function articleOf({ facts, path, content }: FoundDocument): SeedArticle {
  const { name, version, license, keywords, homepage } = facts;
  const title = `${name} ${version}: ${path.replace(/\.(?:md|markdown)$/i, '')}`;
  const metadata = {
    package: name,
    version,
    path,
    ...(license === undefined ? {} : { license }),
    keywords: keptKeywords(keywords),
    topics: topicsOf(keywords),
    seed_key: digest({ name, version, path, content }),
  };
  return {
    title: Array.from(title).slice(0, limits.title_max).join(''),
    content,
    metadata,
    canonical_url: homepage ?? null,
  };
}

/** Returns the Idempotency-Key of one of an article's two steps, the same in every run. */
export function stepKey(step: 'create' | 'publish', article: SeedArticle): string {
  return `seed-${step}-${digest(article)}`;
}
