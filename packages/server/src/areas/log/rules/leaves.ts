// The leaves of the log: what each kind says, and which cause it has. Pure. docs/transparency.md shows them.
import type { Treatment } from '@colophon/contract';
import { canonicalJson, sha256Hex } from '#lib/canonical-json';
import { timestamp } from '#lib/timestamp';
import type { ActionCause, ArticleCause, ClosingCause, KeyCause } from '../queries/index.ts';

/** A leaf before it has a number. */
export interface NewLeaf {
  /** Says what the leaf is about. A cause that arrives again adds no second leaf. */
  readonly cause: string;
  /** Canonical JSON (RFC 8785): the bytes of the leaf. */
  readonly entry: string;
  /** For a publication whose article is not erased. */
  readonly salt?: { readonly articleId: string; readonly bytes: Buffer };
}

/** A cause that is logged later than this has the time of logging. */
const lateMs = 10 * 60_000;

/** Returns the time of a cause; for one that is logged late, as after an upgrade, the time of logging. */
function timeOf(causedAt: string, now: Date): string {
  const late = now.getTime() - Date.parse(causedAt) > lateMs;
  return late ? timestamp(now) : timestamp(Date.parse(causedAt));
}

type Members = Readonly<Record<string, string | boolean | null>>;

function entryOf(kind: string, at: string, members: Members): string {
  return canonicalJson({ kind, at, v: 1, ...members });
}

/** A published revision, as it is signed or not. */
export interface Publication {
  readonly article_id: string;
  readonly id: string;
  readonly content_hash: string;
  readonly signature: string | null;
  readonly signature_key_id: string | null;
  readonly published_at: string;
  readonly signed_at: string | null;
  /** When it was published again, after another one; undefined and null: this is its first publication. */
  readonly again_at?: string | null;
}

/**
 * Returns the cause of a publication: the revision with its signature. A revision that is signed later has a
 * further one.
 */
export function publicationCause(revisionId: string, signature: string | null): string {
  return `publication/${revisionId}/${signature === null ? 'unsigned' : sha256Hex(signature).slice(0, 16)}`;
}

/**
 * Returns the commitment of a publication: without the salt, nobody can find out which text a leaf is about by
 * trying texts.
 */
function commitmentOf(
  salt: Buffer,
  { content_hash, signature }: Pick<Publication, 'content_hash' | 'signature'>,
): string {
  const form = Buffer.from(canonicalJson({ content_hash, signature }));
  return sha256Hex(Buffer.concat([salt, form]));
}

/** Returns the later of the times when a revision was published and when it was signed. */
export function lastTimeOf({
  published_at,
  signed_at,
}: Pick<Publication, 'published_at' | 'signed_at'>): string {
  return signed_at !== null && signed_at > published_at ? signed_at : published_at;
}

/** Returns the leaf of a publication. `keepsSalt`: the article is not erased. */
export function publicationLeaf(
  article: ArticleCause,
  revision: Publication,
  {
    salt,
    keepsSalt,
    now,
  }: { readonly salt: Buffer; readonly keepsSalt: boolean; readonly now: Date },
): NewLeaf {
  const again = revision.again_at ?? null;
  const entry = entryOf('publication', timeOf(again ?? lastTimeOf(revision), now), {
    article: article.id,
    revision: revision.id,
    author: article.author_id,
    owner: article.owner_id,
    published_at: revision.published_at,
    signed: revision.signature !== null,
    key: revision.signature_key_id,
    commitment: commitmentOf(salt, revision),
  });
  const cause =
    again === null
      ? publicationCause(revision.id, revision.signature)
      : `publication/${revision.id}/again/${again}`;
  return keepsSalt
    ? { cause, entry, salt: { articleId: article.id, bytes: salt } }
    : { cause, entry };
}

/** Returns the leaves of a signing key: registered, revoked, compromised. */
export function keyLeaves(key: KeyCause, now: Date): readonly NewLeaf[] {
  const about = { key: key.id, agent: key.agent_id };
  const leaf = (kind: string, causedAt: string, cause: string, more: Members = {}) => ({
    cause: `key/${key.id}/${cause}`,
    entry: entryOf(`key.${kind}`, timeOf(causedAt, now), { ...about, ...more }),
  });
  const { created_at, revoked_at, compromised_at, public_key } = key;
  const public_key_sha256 = sha256Hex(Buffer.from(public_key, 'base64url'));
  const leaves = [leaf('registered', created_at, 'registered', { public_key_sha256 })];
  if (revoked_at !== null) leaves.push(leaf('revoked', revoked_at, 'revoked'));
  // The date of a compromise may be moved back, which is a cause of its own. It does not say when it was reported.
  if (compromised_at !== null)
    leaves.push(
      leaf('compromised', timestamp(now), `compromised/${compromised_at}`, { compromised_at }),
    );
  return leaves;
}

/** Returns the leaf of a moderation action: a hash of what everybody can read, and no target. */
export function actionLeaf({ key, statement }: ActionCause, now: Date): NewLeaf {
  const { id: action, target_type } = statement;
  return {
    cause: `action/${key.id}`,
    entry: entryOf('moderation', timeOf(statement.created_at, now), {
      action,
      target_type,
      statement: sha256Hex(canonicalJson(statement)),
    }),
  };
}

/** Returns the leaf of an account that was closed. */
export function closingLeaf({ id, treatment, closed_at }: ClosingCause, now: Date): NewLeaf {
  const articles: Treatment = treatment;
  return {
    cause: `closing/${id}`,
    entry: entryOf('account.closed', timeOf(closed_at, now), { principal: id, articles }),
  };
}

const stateKinds = {
  public: 'article.shown',
  withdrawn: 'article.withdrawn',
  removed: 'article.removed',
  erased: 'article.erased',
} as const;

/** What readers get at an article's address: its text, or why not. */
export type ShownState = keyof typeof stateKinds;

/** Returns the leaf of an article that readers lost or got back. `change` numbers them, from 1. */
export function stateLeaf(
  article: ArticleCause,
  state: ShownState,
  { change, now }: { readonly change: number; readonly now: Date },
): NewLeaf {
  const causedAt =
    state === 'removed' ? article.removed_at : state === 'erased' ? article.updated_at : null;
  const isModerated = state === 'removed' && article.moderated;
  const by = { by: isModerated ? 'moderation' : 'author' };
  return {
    cause: `article/${article.id}/${change}`,
    entry: entryOf(stateKinds[state], timeOf(causedAt ?? timestamp(now), now), {
      article: article.id,
      ...(state === 'removed' || state === 'erased' ? by : {}),
      // While it was withdrawn, another revision may have been published.
      ...(state === 'public' ? { revision: article.published_revision_id } : {}),
    }),
  };
}
