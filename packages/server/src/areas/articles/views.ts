// The wire forms of articles and revisions.
import type { AnswerOf, Operations } from '@colophon/contract';
import type { Config } from '#config';
import type { Caller } from '#http';
import { withFrontMatter } from './rules/front-matter.ts';
import { turnsAfterPieces } from '#lib/pieces';
import { articlePath, topicMetadata, topicsOf } from '#lib/slug';
import type { Spotlit } from '#text';
import { storedJson } from '#lib/stored-json';
import type {
  ComparedRow,
  CountColumns,
  ListedRow,
  ProofRow,
  RevisionColumns,
  RevisionRow,
  ShownRow,
} from './queries/index.ts';
import { mayReadText, mayReadUnpublished, standingOf } from './rules/articles.ts';
import { signingInputOf } from './rules/signatures.ts';

type Row = Omit<ShownRow, 'content'>;
type Revision = Omit<RevisionRow, 'content'>;

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

function signatureView(row: RevisionColumns) {
  const { signature, signature_key_id: key_id, public_key } = row;
  if (signature === null || key_id === null || public_key === null) return null;
  return { key_id, signature, public_key, key_status: keyStatus(row) };
}

function shared(row: Row, config: Config, caller: Caller | null) {
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
    updated_at: row.updated_at,
    signature: signatureView(row),
    signing_input: signingInputOf(row),
    counts: countsView(row),
    ...moderation,
    trust: 'untrusted' as const,
  };
}

/** Returns the whole article. */
export function articleView(row: ShownRow, config: Config, caller: Caller | null) {
  return { ...shared(row, config, caller), content: row.content ?? '' };
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
  const view = shared(row, config, caller);
  return mayReadText(row, caller) ? { ...view, content: row.content ?? '' } : view;
}

/** Returns the articles of a list; yields to the event loop between articles with long metadata. */
export async function articleSummaries<R extends ListedRow>(
  rows: readonly R[],
  config: Config,
  caller: Caller | null,
) {
  const worked = turnsAfterPieces();
  const summaries = [];
  for (const row of rows) {
    summaries.push({ ...shared(row, config, caller), excerpt: row.excerpt });
    await worked(row.metadata.length);
  }
  return summaries;
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
    signature: signatureView(row),
    signing_input: signingInputOf(row),
    trust: 'untrusted' as const,
  };
}

export function revisionView(row: RevisionRow) {
  return {
    ...revisionSummaryView(row),
    content: row.content ?? '',
    content_type: 'text/markdown' as const,
    metadata: storedJson(row.metadata ?? '{}'),
  };
}

function proofSignature(row: ProofRow) {
  const shown = signatureView(row);
  const { signed_at, key_agent_id: agent_id, key_created_at: created_at } = row;
  if (shown === null || signed_at === null || agent_id === null || created_at === null) return null;
  const key = {
    id: shown.key_id,
    agent_id,
    public_key: shown.public_key,
    status: shown.key_status,
    created_at,
    revoked_at: row.key_revoked_at,
    compromised_at: row.key_compromised_at,
  };
  return { signature: shown.signature, signed_at, key };
}

/** The hash of an unpublished text is withheld: a reader could test guesses at the text against it. */
function previousView(row: ProofRow, caller: Caller | null) {
  if (row.previous_revision_id === null) return null;
  const open = row.previous_published_at !== null || mayReadUnpublished(row, caller);
  const content_hash = open ? row.previous_content_hash : null;
  return { revision_id: row.previous_revision_id, content_hash };
}

/** Returns everything needed to verify a revision without the service. */
export function proofView(row: ProofRow, caller: Caller | null) {
  return {
    article_id: row.id,
    revision_id: row.revision_id,
    author_id: row.author_id,
    base_url: row.signing_base,
    created_at: row.revision_created_at,
    published_at: row.revision_published_at,
    content_hash: row.content_hash,
    signing_input: signingInputOf(row),
    previous: previousView(row, caller),
    signature: proofSignature(row),
  };
}

type Hunks = AnswerOf<Operations['readDiff']>['body']['hunks'];

function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Returns the replacement of one text by the other, for a diff that was too expensive. */
function replacement(from: string, to: string): Hunks {
  const removed = from === '' ? [] : [{ op: 'remove' as const, text: from }];
  const added = to === '' ? [] : [{ op: 'add' as const, text: to }];
  return [
    {
      from_line: 1,
      from_count: countLines(from),
      to_line: 1,
      to_count: countLines(to),
      lines: [...removed, ...added],
    },
  ];
}

/** Returns how many lines were removed and added; a replacement counts all lines of both texts. */
function changesIn(hunks: Hunks, truncated: boolean) {
  const all = hunks.flatMap(({ lines }) => lines.map(({ op }) => op));
  const [only] = hunks;
  if (truncated && only !== undefined)
    return { lines_removed: only.from_count, lines_added: only.to_count };
  return {
    lines_removed: all.filter((op) => op === 'remove').length,
    lines_added: all.filter((op) => op === 'add').length,
  };
}

/** Returns the changes between two revisions; `found` is undefined when the comparison was too expensive. */
export function diffView(row: ComparedRow & { readonly to_id: string }, found: Hunks | undefined) {
  const hunks = found ?? replacement(row.from_content ?? '', row.to_content ?? '');
  const truncated = found === undefined;
  return {
    article_id: row.id,
    from_revision_id: row.from_id,
    to_revision_id: row.to_id,
    title: { from: row.from_title, to: row.to_title ?? '' },
    metadata_changed: row.metadata_changed,
    ...changesIn(hunks, truncated),
    truncated,
    hunks,
    trust: 'untrusted' as const,
  };
}
