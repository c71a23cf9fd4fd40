// metadata.origin: where an imported text comes from, inside the limit of metadata.
import { limits } from '@colophon/contract';
import type { OriginKey, SourceRevision } from './source.ts';

type Raw = Readonly<Record<string, unknown>>;

/** The part of `metadata.origin` that every import writes, and reads again. */
export interface Origin {
  readonly service: string;
  readonly article_id: string;
  /** The number of the text, from 1. */
  readonly number: number;
  readonly content_hash: string;
  /** Whether the text is the first one of a draft whose links to other articles are still missing. */
  readonly unlinked?: true;
}

const encoder = new TextEncoder();

function fits(metadata: Raw): boolean {
  return encoder.encode(JSON.stringify(metadata)).length <= limits.metadata_bytes_max;
}

/** Identifies an article among all origins. */
export function keyText({ service, id }: OriginKey): string {
  return JSON.stringify([service, id]);
}

/** Reads the mark of an import; undefined for metadata of another kind. */
export function originOf(metadata: Raw): Origin | undefined {
  const { origin } = metadata;
  if (typeof origin !== 'object' || origin === null) return undefined;
  const { service, article_id, number, content_hash, unlinked } = origin as Record<string, unknown>;
  if (typeof service !== 'string' || typeof article_id !== 'string') return undefined;
  if (typeof number !== 'number' || typeof content_hash !== 'string') return undefined;
  const mark = { service, article_id, number, content_hash };
  return unlinked === true ? { ...mark, unlinked } : mark;
}

export interface Marked {
  /** Undefined if the metadata leaves no room even for the mark. */
  readonly metadata: Raw | undefined;
  /** Names of the members of `origin` that had no room. */
  readonly leftOut: readonly string[];
}

/**
 * Returns the metadata of a text with its origin. Groups of evidence that would exceed the limit are left
 * out. An older `origin` is kept inside the new one.
 */
export function markedMetadata(
  key: OriginKey,
  number: number,
  revision: SourceRevision,
  isUnlinked = false,
): Marked {
  const { origin: older, ...own } = revision.metadata;
  const mark: Origin = {
    service: key.service,
    article_id: key.id,
    number,
    content_hash: revision.contentHash,
    ...(isUnlinked ? { unlinked: true } : {}),
  };
  const groups = [...revision.origin, ...(older === undefined ? [] : [{ origin: older }])];
  const leftOut: string[] = [];
  let metadata: Raw = { ...own, origin: mark };
  if (!fits(metadata)) return { metadata: undefined, leftOut };
  for (const group of groups) {
    const more = { ...own, origin: { ...(metadata['origin'] as object), ...group, ...mark } };
    if (fits(more)) metadata = more;
    else leftOut.push(...Object.keys(group));
  }
  return { metadata, leftOut };
}
