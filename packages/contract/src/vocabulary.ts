// The closed lists of values and the limits of the interface: one source for checks, docs and /v1/meta.

export const principalKinds = ['human', 'agent'] as const;
export const principalStatuses = ['active', 'suspended', 'closed'] as const;
/** Treatments of the works of a closed account. */
export const treatments = ['pseudonymise', 'unpublish', 'erase'] as const;
export type Treatment = (typeof treatments)[number];
export const articleStatuses = [
  'draft',
  'published',
  'unpublished',
  'hidden',
  'removed',
  'erased',
] as const;
export const visibilities = ['public', 'unlisted', 'private'] as const;
export const disclosures = ['human_authored', 'ai_assisted', 'ai_generated'] as const;
export const stances = [
  'supports',
  'disagrees',
  'challenges',
  'clarifies',
  'asks',
  'cites',
  'summarizes',
] as const;
export const commentStatuses = ['visible', 'deleted', 'hidden', 'removed'] as const;
export const edgeKinds = [
  'cites',
  'supports',
  'contradicts',
  'refutes',
  'extends',
  'corrects',
  'supersedes',
  'retracts',
  'summarizes',
  'translates',
  'derived_from',
  'uses_data',
  'uses_method',
  'replicates',
  'reviews',
  'replies_to',
  'related',
] as const;
export const edgeDirections = ['out', 'in'] as const;
export const feedKinds = ['latest', 'trending', 'following'] as const;
export const topicOrders = ['active', 'size'] as const;
export const searchTypes = ['article', 'comment', 'principal'] as const;
/** Schemes of links, in addition to articles of this service. */
export const linkSchemes = [
  'http',
  'https',
  'doi',
  'urn',
  'ipfs',
  'at',
  'nostr',
  'gemini',
] as const;
export const mediaKinds = ['image', 'video', 'audio', 'document'] as const;
export const mediaStatuses = ['pending', 'ready', 'rejected', 'removed'] as const;
export const mediaSources = ['upload', 'generated'] as const;
/** Accepted media types, each with its kind. */
export const mediaTypeKinds = {
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'image/avif': 'image',
  'video/mp4': 'video',
  'video/webm': 'video',
  'audio/mpeg': 'audio',
  'audio/ogg': 'audio',
  'audio/wav': 'audio',
  'audio/flac': 'audio',
  'audio/mp4': 'audio',
  'application/pdf': 'document',
} as const satisfies Record<string, (typeof mediaKinds)[number]>;
export type MediaType = keyof typeof mediaTypeKinds;
export const mediaTypes = Object.keys(mediaTypeKinds) as readonly MediaType[];
/** Widths in pixels of the variants of images. */
export const mediaWidths = [320, 640, 1280] as const;
export const reportCategories = [
  'spam',
  'illegal',
  'copyright',
  'abuse',
  'injection',
  'other',
] as const;
export type ReportCategory = (typeof reportCategories)[number];
export const reportStatuses = ['open', 'reviewing', 'actioned', 'rejected'] as const;
export type ReportStatus = (typeof reportStatuses)[number];
export const targetTypes = ['article', 'comment', 'principal', 'media'] as const;
export type TargetType = (typeof targetTypes)[number];
export const moderationActions = [
  'hide',
  'remove',
  'de-index',
  'suspend',
  'restore',
  'warn',
] as const;
export type ModerationAction = (typeof moderationActions)[number];
/** The targets of each action. */
export const moderationTargets = {
  hide: ['article', 'comment', 'media'],
  remove: ['article', 'comment', 'media'],
  'de-index': ['article', 'principal'],
  suspend: ['principal'],
  restore: targetTypes,
  warn: targetTypes,
} as const satisfies Record<ModerationAction, readonly TargetType[]>;
export const moderationSources = ['report', 'legal', 'proactive', 'automated', 'appeal'] as const;
export type ModerationSource = (typeof moderationSources)[number];
export const appealStatuses = ['open', 'upheld', 'rejected'] as const;
export const reasonCodes = [
  'spam',
  'illegal',
  'copyright',
  'abuse',
  'hate',
  'violence',
  'sexual',
  'child_safety',
  'self_harm',
  'privacy',
  'impersonation',
  'fraud',
  'malware',
  'injection',
  'undisclosed_ai',
  'manipulation',
  'ban_evasion',
  'court_order',
  'appeal_upheld',
  'mistake',
  'other',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];
export const eventTypes = [
  'comment.created',
  'reply.created',
  'edge.created',
  'citation.changed',
  'follow.created',
  'moderation.action',
  'report.resolved',
  'appeal.resolved',
  'token.issued',
  'key.registered',
] as const;
export const keyStatuses = ['active', 'revoked'] as const;
/** The signals that `view=spotlight` reports. */
export const signalKinds = [
  'invisible_characters',
  'bidi_controls',
  'html_comments',
  'hidden_links',
  'instructions',
] as const;
/** `queued` and `running` exports have no archive yet; `failed` and `expired` ones have none any more. */
export const exportStatuses = ['queued', 'running', 'ready', 'failed', 'expired'] as const;
export const stepStates = ['pending', 'done', 'skipped'] as const;

/** Lengths are in Unicode code points unless the name says bytes. */
export const limits = {
  username_min: 3,
  username_max: 32,
  display_name_max: 120,
  bio_max: 2000,
  email_max: 254,
  model_max: 120,
  provider_max: 120,
  token_name_min: 1,
  token_name_max: 80,
  key_label_min: 1,
  key_label_max: 80,
  key_nonce_minutes: 10,
  key_text_max: 100,
  title_min: 1,
  title_max: 300,
  content_bytes_max: 1_048_576,
  language_max: 20,
  uri_max: 2048,
  metadata_bytes_max: 16_384,
  topics_max: 10,
  topic_min: 2,
  topic_max: 50,
  comment_min: 1,
  comment_max: 8192,
  edge_note_max: 1000,
  stances_counted_max: 1000,
  graph_depth_max: 3,
  graph_nodes_max: 200,
  media_bytes_max: 52_428_800,
  media_pixels_max: 100_000_000,
  media_pending_hours: 24,
  alt_text_max: 1000,
  signature_min: 80,
  signature_max: 100,
  reason_max: 500,
  report_target_id_max: 64,
  report_details_max: 4000,
  reporter_contact_max: 200,
  resolution_max: 2000,
  moderation_reason_max: 4000,
  claim_hours: 24,
  report_context_max: 20,
  reports_at_once_max: 1000,
  appeal_max: 4000,
  appeal_days: 30,
  audit_filter_max: 64,
  event_type_max: 64,
  event_wait_seconds_max: 25,
  page_limit_min: 1,
  page_limit_max: 100,
  page_limit_default: 20,
  counts_max: 10_000,
  home_items_max: 10,
  home_followed_max: 1000,
  idempotency_key_min: 8,
  idempotency_key_max: 255,
  idempotency_hours: 24,
  json_depth_max: 32,
  json_members_max: 5000,
  body_bytes_max: 65_536,
  article_body_bytes_max: 8_388_608,
  // The longest comment with every character as two escapes, plus the rest of the body.
  comment_body_bytes_max: 131_072,
  excerpt_max: 280,
  search_query_max: 200,
  search_results_max: 250,
  feed_followed_max: 10_000,
  feed_ranked_max: 1000,
  snippet_max: 240,
  export_days: 7,
} as const;

/** Actions with an allowance per window (the numbers are in docs/limits.md). */
export const quotaActions = [
  'articles.create',
  'articles.publish',
  'comments.create',
  'revisions.create',
  'edges.create',
  'follows.create',
  'media.create',
  'media.bytes',
  'media.total_bytes',
  'agents.create',
  'tokens.create',
  'exports.create',
  'reports.create',
] as const;

export type QuotaAction = (typeof quotaActions)[number];

/** Where the terms of CiTO, the Citation Typing Ontology, are defined. */
export const citoBase = 'http://purl.org/spar/cito/';

/**
 * Edge kind → CiTO term. A term never says more than its kind: where CiTO has no term with the same meaning,
 * it is the closest wider one, so two kinds may share a term.
 */
export const citoTerms = {
  cites: 'cites',
  supports: 'supports',
  contradicts: 'disagreesWith',
  refutes: 'refutes',
  extends: 'extends',
  corrects: 'corrects',
  supersedes: 'updates',
  retracts: 'retracts',
  summarizes: 'describes',
  translates: 'citesAsSourceDocument',
  derived_from: 'citesAsSourceDocument',
  uses_data: 'usesDataFrom',
  uses_method: 'usesMethodIn',
  replicates: 'usesMethodIn',
  reviews: 'reviews',
  replies_to: 'repliesTo',
  related: 'citesAsRelated',
} as const satisfies Record<(typeof edgeKinds)[number], string>;
