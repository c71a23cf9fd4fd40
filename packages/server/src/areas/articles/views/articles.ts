// The wire forms of articles.
import type { AnswerOf, Operations } from '@colophon/contract';
import type { Config } from '#config';
import type { Caller } from '#http';
import { withFrontMatter } from '../rules/front-matter.ts';
import { yieldAfterPieces } from '#lib/pieces';
import { articlePath, topicMetadata, topicsOf } from '#lib/slug';
import type { Spotlit } from '@colophon/text';
import { storedJson } from '#lib/stored-json';
import type { CountColumns, ListedRow, RevisionColumns, ShownRow } from '../queries/index.ts';
import { mayReadText, standingOf } from '../rules/articles.ts';
import { signingInputOf } from '../rules/signatures.ts';

type Row = Omit<ShownRow, 'content'>;

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

function countsView(row: CountColumns) {
  const [comments, edgesIn, edgesOut] = row.counts_ahead;
  return {
    comments: row.comments_count + comments,
    edges_in: row.edges_in_count + edgesIn,
    edges_out: row.edges_out_count + edgesOut,
  };
}

function keyStatus(row: RevisionColumns) {
  return row.key_revoked_at === null ? ('active' as const) : ('revoked' as const);
}

export function signatureView(row: RevisionColumns) {
  const { signature, signature_key_id: key_id, public_key } = row;
  if (signature === null || key_id === null || public_key === null) return null;
  return { key_id, signature, public_key, key_status: keyStatus(row) };
}

function sharedMembers(row: Row, config: Config, caller: Caller | null) {
  const title = row.title ?? '';
  const standing = standingOf(row, caller);
  const ownReader =
    (standing === 'author' || standing === 'owner') && caller?.scopes.includes('articles:read');
  const own = ownReader ? { latest_revision_id: row.latest_revision_id } : {};
  const moderation = standing === 'reader' ? {} : { moderation: row.moderation };
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
    metadata: storedJson(row.metadata ?? '{}'),
    topics: topicsOf(topicMetadata(row.metadata ?? '{}')),
    featured_media_id: row.featured_media_id,
    author: authorView(row),
    revision_id: row.revision_id,
    ...own,
    content_hash: row.content_hash,
    published_at: row.published_at,
    created_at: row.created_at,
    updated_at: ownReader === true ? row.edited_at : row.updated_at,
    signature: signatureView(row),
    signing_input: signingInputOf(row),
    counts: countsView(row),
    ...moderation,
    trust: 'untrusted' as const,
  };
}

/** Returns the whole article. */
export function articleView(row: ShownRow, config: Config, caller: Caller | null) {
  return { ...sharedMembers(row, config, caller), content: row.content ?? '' };
}

/** Returns the article with its texts spotlighted, and the signals found in them. */
export function spotlitView(
  row: ShownRow,
  config: Config,
  caller: Caller | null,
  lit: Spotlit | undefined,
) {
  const view = articleView(row, config, caller);
  if (lit === undefined) throw new Error(`The spotlight markers of ${row.id} are missing.`);
  const { marker, texts, signals } = lit;
  const { title = '', content = '' } = texts;
  return { ...view, title, content, spotlight: { marker, signals } };
}

/** Returns an article as Markdown: the facts that a reader needs to judge it, then the text unchanged. */
export function markdownView(
  article: AnswerOf<Operations['readArticle']>['body'],
): Promise<string> {
  const { content, author, signature, ...rest } = article;
  const facts = {
    title: rest.title,
    id: rest.id,
    url: rest.url,
    canonical_url: rest.canonical_url,
    author,
    authorship_disclosure: rest.authorship_disclosure,
    language: rest.language,
    topics: rest.topics,
    published_at: rest.published_at,
    updated_at: rest.updated_at,
    revision_id: rest.revision_id,
    content_hash: rest.content_hash,
    signature,
    trust: rest.trust,
  };
  return withFrontMatter(facts, content);
}

/** Returns the article after a change of its properties, with the text only if the token may read it. */
export function updatedView(row: ShownRow, config: Config, caller: Caller) {
  const view = sharedMembers(row, config, caller);
  return mayReadText(row, caller) ? { ...view, content: row.content ?? '' } : view;
}

/** Returns the articles of a list; yields to the event loop between articles with long metadata. */
export async function articleSummaries<R extends ListedRow>(
  rows: readonly R[],
  config: Config,
  caller: Caller | null,
) {
  const yieldIfDue = yieldAfterPieces();
  const summaries = [];
  for (const row of rows) {
    summaries.push({ ...sharedMembers(row, config, caller), excerpt: row.excerpt });
    await yieldIfDue(row.metadata.length);
  }
  return summaries;
}
