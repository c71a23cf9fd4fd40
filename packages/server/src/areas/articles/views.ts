// Articles and revisions as they look on the wire.
import type { Config } from '#config';
import type { Caller } from '#http';
import { slugify, topicsOf } from '#lib/slug';
import type { CountColumns, ListedRow, RevisionRow, ShownRow } from './queries/index.ts';
import { mayReadText, signingInput, standingOf } from './rules.ts';

type Row = Omit<ShownRow, 'content'>;
type Revision = Omit<RevisionRow, 'content'>;

/** Path of an article below the base URL: the slug is for people, the id finds it. */
export function articlePath(username: string, title: string, id: string): string {
  return `/@${username}/${encodeURIComponent(slugify(title))}-${id}`;
}

/** The address of the page that shows an article. */
export function articleUrl(
  baseUrl: string,
  row: { readonly username: string; readonly title: string | null; readonly id: string },
): string {
  return `${baseUrl}${articlePath(row.username, row.title ?? '', row.id)}`;
}

function authorView(row: Row) {
  const agent =
    row.owner_principal_id === null
      ? {}
      : { owner_principal_id: row.owner_principal_id, model: row.model, provider: row.provider };
  return {
    id: row.author_id,
    kind: row.author_kind,
    username: row.username,
    display_name: row.display_name,
    ...agent,
  };
}

export function signingInputOf(row: Revision): string {
  return signingInput({
    base: row.signing_base,
    articleId: row.id,
    revisionId: row.revision_id,
    authorId: row.author_id,
    createdAt: row.revision_created_at,
    contentHash: row.content_hash,
  });
}

function countsView(row: CountColumns) {
  const [comments, edgesIn, edgesOut] = row.counts_ahead;
  return {
    comments: row.comments_count + comments,
    edges_in: row.edges_in_count + edgesIn,
    edges_out: row.edges_out_count + edgesOut,
  };
}

function shared(row: Row, config: Config, caller: Caller | null) {
  const title = row.title ?? '';
  const standing = standingOf(row, caller);
  const ownReader =
    (standing === 'author' || standing === 'owner') && caller?.scopes.includes('articles:read');
  const own = ownReader ? { latest_revision_id: row.latest_revision_id } : {};
  const moderation = standing === 'reader' ? {} : { moderation: null };
  return {
    id: row.id,
    url: `${config.baseUrl}${articlePath(row.username, title, row.id)}`,
    status: row.status,
    visibility: row.visibility,
    title,
    content_type: 'text/markdown' as const,
    language: row.language,
    authorship_disclosure: row.disclosure,
    canonical_url: row.canonical_url,
    metadata: row.metadata ?? {},
    topics: topicsOf(row.metadata),
    featured_media_id: row.featured_media_id,
    author: authorView(row),
    revision_id: row.revision_id,
    ...own,
    content_hash: row.content_hash,
    published_at: row.published_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    signature: null,
    signing_input: signingInputOf(row),
    counts: countsView(row),
    ...moderation,
    trust: 'untrusted' as const,
  };
}

/** The whole article. */
export function articleView(row: ShownRow, config: Config, caller: Caller | null) {
  return { ...shared(row, config, caller), content: row.content ?? '' };
}

/** What changing the surroundings answers: the text only to a token that may read it. */
export function updatedView(row: ShownRow, config: Config, caller: Caller) {
  const view = shared(row, config, caller);
  return mayReadText(row, caller) ? { ...view, content: row.content ?? '' } : view;
}

/** An article in a list. */
export function articleSummaryView(row: ListedRow, config: Config, caller: Caller | null) {
  return { ...shared(row, config, caller), excerpt: row.excerpt };
}

export function revisionSummaryView(row: Revision) {
  return {
    article_id: row.id,
    revision_id: row.revision_id,
    previous_revision_id: row.previous_revision_id,
    title: row.title ?? '',
    content_hash: row.content_hash,
    created_at: row.revision_created_at,
    published_at: row.revision_published_at,
    signature: null,
    signing_input: signingInputOf(row),
    trust: 'untrusted' as const,
  };
}

export function revisionView(row: RevisionRow) {
  return {
    ...revisionSummaryView(row),
    content: row.content ?? '',
    content_type: 'text/markdown' as const,
    metadata: row.metadata ?? {},
  };
}
