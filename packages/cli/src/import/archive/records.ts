// The records of an export, checked: an archive is input like any other.
import { isObject } from '../json.ts';
import { refusal } from '../source.ts';
import type { Disclosure, MediaKind, Visibility } from '../source.ts';

type Raw = Readonly<Record<string, unknown>>;

export interface Manifest {
  readonly origin: string;
  readonly exportedAt: string;
  readonly username: string;
  readonly checksumsSha256: string;
  /** The key of the transparency log that the service named; an older service has none. */
  readonly logKey: string | undefined;
}

export interface Signature {
  readonly key_id: string;
  readonly signature: string;
  readonly public_key: string;
}

export interface RevisionRecord {
  readonly revision_id: string;
  readonly title: string;
  readonly content: string;
  readonly metadata: Raw;
  readonly content_hash: string;
  readonly signing_input: string;
  readonly signature: Signature | null;
  readonly created_at: string;
  readonly published_at: string | null;
}

export interface ArticleRecord {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly visibility: Visibility;
  readonly title: string;
  readonly language: string;
  readonly authorship_disclosure: Disclosure;
  readonly canonical_url: string | null;
  readonly featured_media_id: string | null;
  /** The revision that readers see, or the newest one of a draft. */
  readonly revision_id: string;
  readonly published_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ArticleFile {
  readonly article: ArticleRecord;
  readonly revisions: readonly RevisionRecord[];
}

export interface MediaFileRecord {
  readonly id: string;
  readonly kind: MediaKind;
  readonly checksum_sha256: string | null;
  readonly alt_text: string | null;
  readonly url: string | null;
}

const idPattern = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Reads members of one record. Each error names the record and the member. */
function reader(raw: unknown, what: string) {
  const members = isObject(raw) ? raw : {};
  const wrong = (name: string) => refusal(`${what}: the member ${name} is missing or malformed.`);
  const text = (name: string, pattern = /^/): string => {
    const value = members[name];
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw wrong(name);
  };
  const orNull = (name: string, pattern = /^/): string | null =>
    members[name] === null || members[name] === undefined ? null : text(name, pattern);
  const oneOf = <T extends string>(name: string, values: readonly T[]): T => {
    const value = values.find((each) => each === members[name]);
    if (value === undefined) throw wrong(name);
    return value;
  };
  const object = (name: string): Raw => {
    const value = members[name];
    if (isObject(value)) return value;
    throw wrong(name);
  };
  return { members, text, orNull, oneOf, object };
}

/** @throws a refusal for another format or a later version */
export function readManifest(raw: unknown): Manifest {
  const { members, text, object } = reader(raw, 'manifest.json');
  if (members['format'] !== 'colophon-export')
    throw refusal('This is not an export of Colophon: its manifest.json names another format.');
  if (members['version'] !== 1)
    throw refusal(
      `The export has version ${JSON.stringify(members['version'])}; this program reads version 1. Install a newer program.`,
    );
  return {
    origin: text('origin', /^https?:\/\/[^\s]+$/).replace(/\/$/, ''),
    exportedAt: text('exported_at', timePattern),
    username: reader(object('principal'), 'manifest.json').text('username'),
    checksumsSha256: text('checksums_sha256', /^[0-9a-f]{64}$/),
    logKey: isObject(members['log'])
      ? reader(members['log'], 'manifest.json, log').text('verifier_key')
      : undefined,
  };
}

function readSignature(raw: unknown, what: string): Signature | null {
  if (raw === null || raw === undefined) return null;
  const { text } = reader(raw, `${what}, signature`);
  return {
    key_id: text('key_id', idPattern),
    signature: text('signature'),
    public_key: text('public_key'),
  };
}

function readRevision(raw: unknown, what: string): RevisionRecord {
  const { members, text, orNull, object } = reader(raw, what);
  return {
    revision_id: text('revision_id', idPattern),
    title: text('title'),
    content: text('content'),
    metadata: object('metadata'),
    content_hash: text('content_hash', /^sha256:[0-9a-f]{64}$/),
    signing_input: text('signing_input'),
    signature: readSignature(members['signature'], what),
    created_at: text('created_at', timePattern),
    published_at: orNull('published_at', timePattern),
  };
}

function readArticle(raw: unknown, what: string): ArticleRecord {
  const { text, orNull, oneOf } = reader(raw, what);
  return {
    id: text('id', idPattern),
    url: text('url'),
    status: text('status'),
    visibility: oneOf('visibility', ['public', 'unlisted', 'private']),
    title: text('title'),
    language: text('language'),
    authorship_disclosure: oneOf('authorship_disclosure', [
      'human_authored',
      'ai_assisted',
      'ai_generated',
    ]),
    canonical_url: orNull('canonical_url'),
    featured_media_id: orNull('featured_media_id', idPattern),
    revision_id: text('revision_id', idPattern),
    published_at: orNull('published_at', timePattern),
    created_at: text('created_at', timePattern),
    updated_at: text('updated_at', timePattern),
  };
}

/** Reads id, title and status only: what the record of a removed article still has. */
export function readHead(raw: unknown): { readonly title: string; readonly status: string } {
  const article = isObject(raw) && isObject(raw['article']) ? raw['article'] : {};
  const { title, status } = article;
  return {
    title: typeof title === 'string' && title !== '' ? title : '(no title)',
    status: typeof status === 'string' ? status : 'removed',
  };
}

/** @throws a refusal */
export function readArticleFile(raw: unknown, what: string): ArticleFile {
  const { members, object } = reader(raw, what);
  const { revisions } = members;
  if (!Array.isArray(revisions) || revisions.length === 0)
    throw refusal(`${what}: the member revisions is missing or empty.`);
  return {
    article: readArticle(object('article'), what),
    revisions: revisions.map((revision) => readRevision(revision, `${what}, revision`)),
  };
}

/** @throws a refusal */
export function readMediaRecord(raw: unknown): MediaFileRecord {
  const { text, orNull, oneOf } = reader(raw, 'data/media.jsonl');
  return {
    id: text('id', idPattern),
    kind: oneOf('kind', ['image', 'video', 'audio', 'document']),
    checksum_sha256: orNull('checksum_sha256', /^[0-9a-f]{64}$/),
    alt_text: orNull('alt_text'),
    url: orNull('url'),
  };
}
