-- The schema after every migration, written by a tool: change a migration, never this file.

create table active_keys (
  bucket smallint not null,
  public_key text collate "C" not null,
  key_id text collate "C" not null,
  compromised boolean default false not null
);

create table appeals (
  bucket smallint not null,
  id text collate "C" not null,
  action_id text collate "C" not null,
  target_type text not null,
  target_id text collate "C" not null,
  appellant_id text collate "C" not null,
  text text not null,
  status text default 'open'::text not null,
  resolution text,
  resolved_by text collate "C",
  upheld_action_id text collate "C",
  created_at timestamp(3) with time zone not null,
  resolved_at timestamp(3) with time zone
);

create table article_count_deltas (
  bucket smallint not null,
  article_id text collate "C" not null,
  id text collate "C" not null,
  comments integer not null,
  edges_in integer not null,
  edges_out integer not null
);

create table article_search (
  bucket smallint not null,
  article_id text collate "C" not null,
  revision_id text collate "C" not null,
  document tsvector not null,
  indexed_at timestamp(3) with time zone not null,
  configuration text default 'simple'::text not null,
  title tsvector default ''::tsvector not null,
  marks text[] collate "C" default '{}'::text[] not null,
  title_length smallint default 0 not null,
  published_at timestamp(3) with time zone default '-infinity'::timestamp with time zone not null
);

create table article_supporters (
  bucket smallint not null,
  article_id text collate "C" not null,
  kind text not null,
  owner_id text collate "C" not null
);

create table article_topics (
  bucket smallint not null,
  article_id text collate "C" not null,
  topic text collate "C" not null,
  name text not null,
  published_at timestamp(3) with time zone not null
);

create table article_treatments (
  bucket smallint not null,
  author_id text collate "C" not null,
  treatment text not null,
  after_id text collate "C" default ''::text not null,
  done integer default 0 not null,
  total integer not null,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone
);

create table article_trends (
  bucket smallint not null,
  article_id text collate "C" not null,
  points integer,
  score double precision,
  published_at timestamp(3) with time zone
);

create table articles (
  bucket smallint not null,
  id text collate "C" not null,
  author_id text collate "C" not null,
  author_kind text not null,
  status text not null,
  visibility text not null,
  language text collate "C" not null,
  disclosure text not null,
  canonical_url text,
  featured_media_id text collate "C",
  latest_revision_id text collate "C" not null,
  published_revision_id text collate "C",
  signed boolean default false not null,
  deindexed boolean default false not null,
  listed boolean generated always as (((status = 'published'::text) AND (visibility = 'public'::text) AND (NOT deindexed))) stored not null,
  comments_count integer default 0 not null,
  edges_in_count integer default 0 not null,
  edges_out_count integer default 0 not null,
  published_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  removed_legally boolean default false not null,
  reason_code text,
  moderation_action_id text collate "C"
);

create table audit_heads (
  bucket smallint not null,
  number bigint not null,
  hash text collate "C" not null
);

create table audit_log (
  bucket smallint not null,
  number bigint not null,
  actor text not null,
  action text not null,
  target_type text not null,
  target_id text collate "C" not null,
  details json not null,
  created_at timestamp(3) with time zone not null,
  previous_hash text collate "C" not null,
  hash text collate "C" not null
);

create table backup_standing (
  bucket smallint not null,
  tried_at timestamp(3) with time zone not null,
  failure text,
  name text collate "C",
  byte_size bigint,
  finished_at timestamp(3) with time zone
);

create table blobs (
  bucket smallint not null,
  checksum text collate "C" not null,
  name text collate "C" not null,
  content_type text not null,
  byte_size bigint not null,
  width integer,
  height integer,
  decoded boolean,
  holders integer not null,
  created_at timestamp(3) with time zone not null
);

create table ceremonies (
  bucket smallint not null,
  id text collate "C" not null,
  kind text not null,
  challenge text not null,
  principal_id text collate "C",
  username text,
  display_name text,
  expires_at timestamp(3) with time zone not null
);

create table citation_notifications (
  bucket smallint not null,
  principal_id text collate "C" not null,
  change text collate "C" not null,
  notified_at timestamp(3) with time zone not null
);

create table closings (
  bucket smallint not null,
  principal_id text collate "C" not null,
  treatment text not null,
  reason text,
  closed_at timestamp(3) with time zone not null,
  forgotten_at timestamp(3) with time zone,
  recorded_at timestamp(3) with time zone
);

create table comment_search (
  bucket smallint not null,
  comment_id text collate "C" not null,
  by_agent boolean not null,
  configuration text not null,
  document tsvector not null,
  indexed_at timestamp(3) with time zone not null
);

create table comment_treatments (
  bucket smallint not null,
  author_id text collate "C" not null,
  after_id text collate "C" default ''::text not null,
  finished_at timestamp(3) with time zone
);

create table comments (
  bucket smallint not null,
  id text collate "C" not null,
  article_id text collate "C" not null,
  parent_comment_id text collate "C",
  root_comment_id text collate "C",
  depth integer not null,
  stance text,
  author_id text collate "C" not null,
  owner_principal_id text collate "C",
  content text,
  status text default 'visible'::text not null,
  created_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  removed_legally boolean default false not null,
  reason_code text,
  moderation_action_id text collate "C"
);

create table comments_by_author (
  bucket smallint not null,
  author_id text collate "C" not null,
  comment_id text collate "C" not null
);

create table contents (
  bucket smallint not null,
  hash text collate "C" not null,
  title text not null,
  content text not null,
  metadata json not null,
  excerpt text not null,
  created_at timestamp(3) with time zone not null
);

create table derived_versions (
  bucket smallint not null,
  name text collate "C" not null,
  version integer not null,
  failed bigint not null,
  made_at timestamp(3) with time zone not null
);

create table edges (
  bucket smallint not null,
  id text collate "C" not null,
  src_article_id text collate "C" not null,
  kind text collate "C" not null,
  dst_key text collate "C" not null,
  dst_article_id text collate "C",
  dst_uri text collate "C",
  via_comment_id text collate "C",
  note text,
  created_by_principal_id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  announced_at timestamp(3) with time zone,
  shown boolean
);

create table event_counters (
  bucket smallint not null,
  principal_id text collate "C" not null,
  number bigint not null,
  last_time text collate "C" not null,
  closed boolean default false not null,
  read_number bigint default 0 not null
);

create table events (
  bucket smallint not null,
  principal_id text collate "C" not null,
  id text collate "C" not null,
  number bigint not null,
  type text collate "C" not null,
  actor_principal_id text collate "C",
  subject_type text not null,
  subject_id text collate "C" not null,
  payload json not null,
  created_at timestamp(3) with time zone not null
);

create table export_parts (
  bucket smallint not null,
  export_id text collate "C" not null,
  kind text not null,
  start bigint not null,
  byte_size bigint not null,
  head bytea,
  name text collate "C",
  checksum text collate "C"
);

create table exports (
  bucket smallint not null,
  id text collate "C" not null,
  principal_id text collate "C" not null,
  status text not null,
  stage text not null,
  "position" text collate "C" default ''::text not null,
  steps integer default 0 not null,
  restarts integer default 0 not null,
  articles_total integer not null,
  counts json not null,
  entries integer default 0 not null,
  byte_size bigint default 0 not null,
  directory_size bigint default 0 not null,
  tombstones integer default 0 not null,
  checksums_sha256 text,
  reason text,
  created_at timestamp(3) with time zone not null,
  started_at timestamp(3) with time zone not null,
  stepped_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone
);

create table followers (
  bucket smallint not null,
  followee_id text collate "C" not null,
  follower_id text collate "C" not null,
  follow_id text collate "C" not null,
  created_at timestamp(3) with time zone not null
);

create table follows (
  bucket smallint not null,
  follower_id text collate "C" not null,
  followee_id text collate "C" not null,
  follow_id text collate "C" not null,
  created_at timestamp(3) with time zone not null
);

create table idempotency_keys (
  bucket smallint not null,
  principal_id text collate "C" not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  status smallint not null,
  body text,
  location text,
  etag text,
  created_at timestamp(3) with time zone not null
);

create table incoming_edges (
  bucket smallint not null,
  dst_key text collate "C" not null,
  id text collate "C" not null,
  src_article_id text collate "C" not null,
  kind text collate "C" not null,
  dst_article_id text collate "C",
  dst_uri text collate "C",
  via_comment_id text collate "C",
  note text,
  created_by_principal_id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  shown boolean default true not null,
  owner_principal_id text collate "C"
);

create table key_nonces (
  bucket smallint not null,
  agent_id text collate "C" not null,
  hash bytea not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone
);

create table log_articles (
  bucket smallint not null,
  article_id text collate "C" not null,
  state text not null,
  changes integer not null,
  logged_until timestamp(3) with time zone
);

create table log_heads (
  bucket smallint not null,
  origin text not null,
  size bigint not null,
  root text collate "C" not null,
  integrated_at timestamp(3) with time zone,
  published_size bigint not null,
  published_root text collate "C" not null,
  checkpoint text,
  published_at timestamp(3) with time zone,
  refusal text
);

create table log_keys (
  bucket smallint not null,
  verifier_key text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  retired_at timestamp(3) with time zone
);

create table log_leaves (
  bucket smallint not null,
  cause text collate "C" not null,
  ticket text collate "C" not null,
  entry text collate "C" not null,
  number bigint,
  article_id text collate "C",
  salt bytea
);

create table log_tiles (
  bucket smallint not null,
  level smallint not null,
  number bigint not null,
  hashes bytea not null
);

create table log_witnessed (
  bucket smallint not null,
  origin text collate "C" not null,
  size bigint not null,
  root text collate "C" not null,
  checkpoint text,
  cosigned_at timestamp(3) with time zone
);

create table log_witnesses (
  bucket smallint not null,
  name text collate "C" not null,
  size bigint not null,
  cosigned_at timestamp(3) with time zone,
  failure text
);

create table media (
  bucket smallint not null,
  id text collate "C" not null,
  owner_principal_id text collate "C" not null,
  status text not null,
  kind text not null,
  source text not null,
  alt_text text,
  generation_metadata json,
  content_type text,
  byte_size bigint,
  checksum text collate "C",
  held_checksum text collate "C",
  rejection_reason text,
  hidden boolean default false not null,
  created_at timestamp(3) with time zone not null,
  finalized_at timestamp(3) with time zone,
  removed_at timestamp(3) with time zone,
  removed_legally boolean default false not null,
  reason_code text
);

create table media_variants (
  bucket smallint not null,
  checksum text collate "C" not null,
  width integer not null,
  name text collate "C" not null,
  byte_size bigint not null,
  created_at timestamp(3) with time zone not null
);

create table moderation_actions (
  bucket smallint not null,
  id text collate "C" not null,
  target_type text not null,
  target_id text collate "C" not null,
  author_id text collate "C" not null,
  owner_principal_id text collate "C",
  action text not null,
  reason_code text not null,
  reason_text text,
  source text not null,
  report_id text collate "C",
  moderator_id text collate "C",
  previous json not null,
  created_at timestamp(3) with time zone not null,
  lifted_at timestamp(3) with time zone,
  lifted_by_id text collate "C",
  appeal_status text,
  recorded_at timestamp(3) with time zone
);

create table og_images (
  bucket smallint not null,
  article_id text collate "C" not null,
  revision_id text collate "C" not null,
  key text collate "C" not null,
  name text collate "C" not null,
  byte_size integer not null,
  made_at timestamp(3) with time zone not null
);

create table outbox (
  bucket smallint not null,
  id text collate "C" not null,
  type text not null,
  payload json not null,
  created_at timestamp(3) with time zone not null,
  traceparent text
);

create table passkeys (
  bucket smallint not null,
  id text collate "C" not null,
  principal_id text collate "C" not null,
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone
);

create table pending_erasures (
  bucket smallint not null,
  article_id text collate "C" not null,
  erased_at timestamp(3) with time zone not null,
  recorded_at timestamp(3) with time zone
);

create table principal_search (
  bucket smallint not null,
  principal_id text collate "C" not null,
  kind text not null,
  username text collate "C" not null,
  names tsvector not null,
  document tsvector not null,
  nearby integer[] not null,
  indexed_at timestamp(3) with time zone not null
);

create table principals (
  bucket smallint not null,
  id text collate "C" not null,
  kind text not null,
  username text not null,
  display_name text,
  bio text,
  email text,
  owner_principal_id text collate "C",
  model text,
  provider text,
  trust_level smallint default 0 not null,
  status text default 'active'::text not null,
  created_at timestamp(3) with time zone not null,
  closed_at timestamp(3) with time zone,
  unused boolean default false not null,
  treatment text,
  deindexed boolean default false not null
);

create table quota_uses (
  bucket smallint not null,
  principal_id text collate "C" not null,
  action text collate "C" not null,
  window_start timestamp(3) with time zone not null,
  used bigint not null,
  allowed bigint not null
);

create table recovery_codes (
  bucket smallint not null,
  principal_id text collate "C" not null,
  hash bytea not null,
  used_at timestamp(3) with time zone
);

create table reindex_progress (
  bucket smallint not null,
  name text collate "C" not null,
  after_id text collate "C" not null,
  done bigint not null,
  updated_at timestamp(3) with time zone not null,
  version integer default 0 not null,
  total bigint default 0 not null,
  failed bigint default 0 not null
);

create table renderings (
  bucket smallint not null,
  hash text collate "C" not null,
  version text not null,
  html text,
  headings json not null,
  reason text,
  rendered_at timestamp(3) with time zone not null,
  signals json
);

create table report_changes (
  bucket smallint not null,
  id text collate "C" not null,
  report_id text collate "C" not null,
  target_type text not null,
  target_id text collate "C" not null,
  from_status text,
  to_status text not null,
  moderator_id text collate "C",
  resolution text,
  action_id text collate "C",
  created_at timestamp(3) with time zone not null
);

create table reports (
  bucket smallint not null,
  id text collate "C" not null,
  target_type text not null,
  target_id text collate "C" not null,
  category text not null,
  details text,
  reporter_id text collate "C",
  reporter_contact text,
  status text default 'open'::text not null,
  claimed_by text collate "C",
  claimed_at timestamp(3) with time zone,
  resolution text,
  action_id text collate "C",
  created_at timestamp(3) with time zone not null,
  closed_at timestamp(3) with time zone
);

create table republications (
  bucket smallint not null,
  article_id text collate "C" not null,
  published_at timestamp(3) with time zone not null,
  revision_id text collate "C" not null
);

create table revisions (
  bucket smallint not null,
  article_id text collate "C" not null,
  id text collate "C" not null,
  previous_revision_id text collate "C",
  content_hash text collate "C" not null,
  signing_base text not null,
  signature text,
  signature_key_id text collate "C",
  created_at timestamp(3) with time zone not null,
  published_at timestamp(3) with time zone,
  erased boolean default false not null,
  held_hash text collate "C" generated always as (
CASE
    WHEN erased THEN NULL::text
    ELSE content_hash
END) stored,
  signed_at timestamp(3) with time zone
);

create table search_configurations (
  bucket smallint not null,
  configuration text collate "C" not null
);

create table search_horizons (
  bucket smallint not null,
  newer integer not null,
  at timestamp(3) with time zone not null
);

create table search_shares (
  bucket smallint not null,
  place text collate "C" not null,
  word text collate "C" not null,
  share real not null
);

create table search_term_frequencies (
  bucket smallint not null,
  place text collate "C" not null,
  word text collate "C" not null,
  share real not null
);

create table search_words (
  bucket smallint not null,
  word text collate "C" not null,
  nearby integer[] not null
);

create table sessions (
  bucket smallint not null,
  id text collate "C" not null,
  principal_id text collate "C" not null,
  hash bytea not null,
  device text not null,
  network text,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone not null,
  checked_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null,
  token_id text collate "C"
);

create table signing_keys (
  bucket smallint not null,
  id text collate "C" not null,
  agent_id text collate "C" not null,
  public_key text collate "C" not null,
  label text,
  created_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  compromised_at timestamp(3) with time zone
);

create table sitemap_entries (
  bucket smallint not null,
  article_id text collate "C" not null,
  file integer,
  revision_id text collate "C" not null,
  lastmod timestamp(3) with time zone not null
);

create table sitemap_files (
  bucket smallint not null,
  number integer not null,
  entries integer not null,
  changed_at timestamp(3) with time zone not null
);

create table tokens (
  bucket smallint not null,
  id text collate "C" not null,
  principal_id text collate "C" not null,
  issuer_token_id text collate "C",
  hash bytea not null,
  name text not null,
  prefix text not null,
  scopes text[] not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone
);

create table topics (
  bucket smallint not null,
  slug text collate "C" not null,
  article_count integer not null,
  last_published_at timestamp(3) with time zone
);

create table usernames (
  bucket smallint not null,
  skeleton text collate "C" not null,
  username text collate "C" not null,
  principal_id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  reserved_until timestamp(3) with time zone
);

create table web_links (
  bucket smallint not null,
  principal_id text collate "C" not null,
  hash bytea not null,
  used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null,
  token_id text collate "C"
);

alter table article_search set (toast_tuple_target=8160);
alter table article_trends set (autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);
alter table articles set (autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);
alter table idempotency_keys set (autovacuum_vacuum_scale_factor=0.05);
alter table tokens set (fillfactor=80, autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);

alter table active_keys add constraint active_keys_public_key_pkey PRIMARY KEY (bucket, public_key);
alter table appeals add constraint appeals_action_id_key UNIQUE (bucket, action_id);
alter table appeals add constraint appeals_id_pkey PRIMARY KEY (bucket, id);
alter table appeals add constraint appeals_resolved_check CHECK ((((status = 'open'::text) = (resolved_at IS NULL)) AND ((status = 'open'::text) = (resolved_by IS NULL))));
alter table appeals add constraint appeals_status_check CHECK ((status = ANY (ARRAY['open'::text, 'upheld'::text, 'rejected'::text])));
alter table article_count_deltas add constraint article_count_deltas_id_pkey PRIMARY KEY (bucket, article_id, id);
alter table article_search add constraint article_search_article_id_pkey PRIMARY KEY (bucket, article_id);
alter table article_supporters add constraint article_supporters_kind_check CHECK ((kind = ANY (ARRAY['comment'::text, 'link'::text, 'follow'::text])));
alter table article_supporters add constraint article_supporters_owner_id_pkey PRIMARY KEY (bucket, article_id, kind, owner_id);
alter table article_topics add constraint article_topics_topic_pkey PRIMARY KEY (bucket, article_id, topic);
alter table article_treatments add constraint article_treatments_author_id_pkey PRIMARY KEY (bucket, author_id);
alter table article_treatments add constraint article_treatments_treatment_check CHECK ((treatment = ANY (ARRAY['pseudonymise'::text, 'unpublish'::text, 'erase'::text])));
alter table article_trends add constraint article_trends_article_id_pkey PRIMARY KEY (bucket, article_id);
alter table articles add constraint articles_disclosure_check CHECK ((disclosure = ANY (ARRAY['human_authored'::text, 'ai_assisted'::text, 'ai_generated'::text])));
alter table articles add constraint articles_id_pkey PRIMARY KEY (bucket, id);
alter table articles add constraint articles_published_at_check CHECK (((status <> 'published'::text) OR ((published_revision_id IS NOT NULL) AND (published_at IS NOT NULL))));
alter table articles add constraint articles_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'unpublished'::text, 'hidden'::text, 'removed'::text, 'erased'::text])));
alter table articles add constraint articles_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'unlisted'::text, 'private'::text])));
alter table audit_heads add constraint audit_heads_bucket_pkey PRIMARY KEY (bucket);
alter table audit_log add constraint audit_log_hash_key UNIQUE (bucket, hash);
alter table audit_log add constraint audit_log_number_pkey PRIMARY KEY (bucket, number);
alter table backup_standing add constraint backup_standing_bucket_pkey PRIMARY KEY (bucket);
alter table blobs add constraint blobs_checksum_pkey PRIMARY KEY (bucket, checksum);
alter table blobs add constraint blobs_holders_check CHECK ((holders >= 0));
alter table blobs add constraint blobs_name_key UNIQUE (bucket, name);
alter table ceremonies add constraint ceremonies_id_pkey PRIMARY KEY (bucket, id);
alter table citation_notifications add constraint citation_notifications_change_pkey PRIMARY KEY (bucket, principal_id, change);
alter table closings add constraint closings_principal_id_pkey PRIMARY KEY (bucket, principal_id);
alter table closings add constraint closings_treatment_check CHECK ((treatment = ANY (ARRAY['pseudonymise'::text, 'unpublish'::text, 'erase'::text])));
alter table comment_search add constraint comment_search_comment_id_pkey PRIMARY KEY (bucket, comment_id);
alter table comment_treatments add constraint comment_treatments_author_id_pkey PRIMARY KEY (bucket, author_id);
alter table comments add constraint comments_content_check CHECK (((status = ANY (ARRAY['hidden'::text, 'removed'::text])) OR ((status = 'deleted'::text) = (content IS NULL))));
alter table comments add constraint comments_depth_check CHECK (((depth >= 0) AND ((depth = 0) = (parent_comment_id IS NULL)) AND ((depth = 0) = (root_comment_id IS NULL))));
alter table comments add constraint comments_id_pkey PRIMARY KEY (bucket, id);
alter table comments add constraint comments_stance_check CHECK ((stance = ANY (ARRAY['supports'::text, 'disagrees'::text, 'challenges'::text, 'clarifies'::text, 'asks'::text, 'cites'::text, 'summarizes'::text])));
alter table comments add constraint comments_status_check CHECK ((status = ANY (ARRAY['visible'::text, 'deleted'::text, 'hidden'::text, 'removed'::text])));
alter table comments_by_author add constraint comments_by_author_comment_id_pkey PRIMARY KEY (bucket, author_id, comment_id);
alter table contents add constraint contents_hash_pkey PRIMARY KEY (bucket, hash);
alter table derived_versions add constraint derived_versions_name_pkey PRIMARY KEY (bucket, name);
alter table edges add constraint edges_dst_check CHECK (((dst_article_id IS NULL) <> (dst_uri IS NULL)));
alter table edges add constraint edges_dst_key_key UNIQUE (bucket, src_article_id, kind, dst_key);
alter table edges add constraint edges_id_pkey PRIMARY KEY (bucket, id);
alter table event_counters add constraint event_counters_number_check CHECK (((number >= 0) AND (number <= '4294967295'::bigint)));
alter table event_counters add constraint event_counters_principal_id_pkey PRIMARY KEY (bucket, principal_id);
alter table events add constraint events_id_pkey PRIMARY KEY (bucket, principal_id, id);
alter table export_parts add constraint export_parts_kind_check CHECK ((kind = ANY (ARRAY['archive'::text, 'directory'::text, 'checksums'::text, 'listing'::text])));
alter table export_parts add constraint export_parts_name_check CHECK (((name IS NULL) <> (checksum IS NULL)));
alter table export_parts add constraint export_parts_start_pkey PRIMARY KEY (bucket, export_id, kind, start);
alter table exports add constraint exports_id_pkey PRIMARY KEY (bucket, id);
alter table exports add constraint exports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'ready'::text, 'failed'::text, 'expired'::text])));
alter table followers add constraint followers_follower_id_pkey PRIMARY KEY (bucket, followee_id, follower_id);
alter table follows add constraint follows_followee_id_pkey PRIMARY KEY (bucket, follower_id, followee_id);
alter table idempotency_keys add constraint idempotency_keys_key_pkey PRIMARY KEY (bucket, principal_id, key);
alter table incoming_edges add constraint incoming_edges_id_pkey PRIMARY KEY (bucket, dst_key, id);
alter table key_nonces add constraint key_nonces_hash_pkey PRIMARY KEY (bucket, agent_id, hash);
alter table log_articles add constraint log_articles_article_id_pkey PRIMARY KEY (bucket, article_id);
alter table log_heads add constraint log_heads_bucket_pkey PRIMARY KEY (bucket);
alter table log_keys add constraint log_keys_verifier_key_pkey PRIMARY KEY (bucket, verifier_key);
alter table log_leaves add constraint log_leaves_cause_pkey PRIMARY KEY (bucket, cause);
alter table log_leaves add constraint log_leaves_number_key UNIQUE (bucket, number);
alter table log_tiles add constraint log_tiles_number_pkey PRIMARY KEY (bucket, level, number);
alter table log_witnessed add constraint log_witnessed_origin_pkey PRIMARY KEY (bucket, origin);
alter table log_witnesses add constraint log_witnesses_name_pkey PRIMARY KEY (bucket, name);
alter table media add constraint media_id_pkey PRIMARY KEY (bucket, id);
alter table media add constraint media_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'video'::text, 'audio'::text, 'document'::text])));
alter table media add constraint media_ready_check CHECK (((status <> 'ready'::text) OR ((held_checksum IS NOT NULL) AND (finalized_at IS NOT NULL))));
alter table media add constraint media_source_check CHECK ((source = ANY (ARRAY['upload'::text, 'generated'::text])));
alter table media add constraint media_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'ready'::text, 'rejected'::text, 'removed'::text])));
alter table media_variants add constraint media_variants_name_key UNIQUE (bucket, name);
alter table media_variants add constraint media_variants_width_pkey PRIMARY KEY (bucket, checksum, width);
alter table moderation_actions add constraint moderation_actions_action_check CHECK ((action = ANY (ARRAY['hide'::text, 'remove'::text, 'de-index'::text, 'suspend'::text, 'restore'::text, 'warn'::text])));
alter table moderation_actions add constraint moderation_actions_id_pkey PRIMARY KEY (bucket, id);
alter table moderation_actions add constraint moderation_actions_lifted_check CHECK (((lifted_at IS NULL) = (lifted_by_id IS NULL)));
alter table moderation_actions add constraint moderation_actions_source_check CHECK ((source = ANY (ARRAY['report'::text, 'legal'::text, 'proactive'::text, 'automated'::text, 'appeal'::text])));
alter table moderation_actions add constraint moderation_actions_target_type_check CHECK ((target_type = ANY (ARRAY['article'::text, 'comment'::text, 'principal'::text, 'media'::text])));
alter table og_images add constraint og_images_article_id_pkey PRIMARY KEY (bucket, article_id);
alter table outbox add constraint outbox_id_pkey PRIMARY KEY (bucket, id);
alter table passkeys add constraint passkeys_id_pkey PRIMARY KEY (bucket, id);
alter table passkeys add constraint passkeys_principal_id_credential_id_key UNIQUE (bucket, principal_id, credential_id);
alter table pending_erasures add constraint pending_erasures_article_id_pkey PRIMARY KEY (bucket, article_id);
alter table principal_search add constraint principal_search_principal_id_pkey PRIMARY KEY (bucket, principal_id);
alter table principals add constraint principals_id_pkey PRIMARY KEY (bucket, id);
alter table principals add constraint principals_kind_check CHECK ((kind = ANY (ARRAY['human'::text, 'agent'::text])));
alter table principals add constraint principals_owner_check CHECK (((kind = 'agent'::text) = (owner_principal_id IS NOT NULL)));
alter table principals add constraint principals_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'closed'::text])));
alter table principals add constraint principals_treatment_check CHECK ((treatment = ANY (ARRAY['pseudonymise'::text, 'unpublish'::text, 'erase'::text])));
alter table quota_uses add constraint quota_uses_action_pkey PRIMARY KEY (bucket, principal_id, action, window_start);
alter table quota_uses add constraint quota_uses_used_check CHECK ((used <= allowed));
alter table recovery_codes add constraint recovery_codes_principal_id_hash_pkey PRIMARY KEY (bucket, principal_id, hash);
alter table reindex_progress add constraint reindex_progress_name_pkey PRIMARY KEY (bucket, name);
alter table renderings add constraint renderings_hash_pkey PRIMARY KEY (bucket, hash);
alter table renderings add constraint renderings_html_check CHECK (((html IS NULL) <> (reason IS NULL)));
alter table report_changes add constraint report_changes_id_pkey PRIMARY KEY (bucket, id);
alter table report_changes add constraint report_changes_status_check CHECK ((((from_status IS NULL) = (moderator_id IS NULL)) AND (to_status IS DISTINCT FROM from_status)));
alter table reports add constraint reports_category_check CHECK ((category = ANY (ARRAY['spam'::text, 'illegal'::text, 'copyright'::text, 'abuse'::text, 'injection'::text, 'other'::text])));
alter table reports add constraint reports_claimed_check CHECK ((((status = 'reviewing'::text) = (claimed_by IS NOT NULL)) AND ((claimed_by IS NULL) = (claimed_at IS NULL))));
alter table reports add constraint reports_closed_check CHECK ((((status = ANY (ARRAY['actioned'::text, 'rejected'::text])) = (closed_at IS NOT NULL)) AND ((status = 'actioned'::text) = (action_id IS NOT NULL))));
alter table reports add constraint reports_id_pkey PRIMARY KEY (bucket, id);
alter table reports add constraint reports_status_check CHECK ((status = ANY (ARRAY['open'::text, 'reviewing'::text, 'actioned'::text, 'rejected'::text])));
alter table reports add constraint reports_target_type_check CHECK ((target_type = ANY (ARRAY['article'::text, 'comment'::text, 'principal'::text, 'media'::text])));
alter table republications add constraint republications_published_at_pkey PRIMARY KEY (bucket, article_id, published_at);
alter table revisions add constraint revisions_id_pkey PRIMARY KEY (bucket, article_id, id);
alter table revisions add constraint revisions_signature_check CHECK ((((signature IS NULL) = (signature_key_id IS NULL)) AND ((signature IS NULL) = (signed_at IS NULL))));
alter table search_configurations add constraint search_configurations_configuration_pkey PRIMARY KEY (bucket, configuration);
alter table search_horizons add constraint search_horizons_newer_pkey PRIMARY KEY (bucket, newer);
alter table search_shares add constraint search_shares_place_check CHECK ((place = ANY (ARRAY['document'::text, 'title'::text, 'marks'::text])));
alter table search_shares add constraint search_shares_word_pkey PRIMARY KEY (bucket, place, word);
alter table search_term_frequencies add constraint search_term_frequencies_place_check CHECK ((place = ANY (ARRAY['document'::text, 'title'::text, 'marks'::text])));
alter table search_term_frequencies add constraint search_term_frequencies_word_pkey PRIMARY KEY (bucket, place, word);
alter table search_words add constraint search_words_word_pkey PRIMARY KEY (bucket, word);
alter table sessions add constraint sessions_hash_key UNIQUE (bucket, hash);
alter table sessions add constraint sessions_id_pkey PRIMARY KEY (bucket, id);
alter table signing_keys add constraint signing_keys_compromised_at_check CHECK (((compromised_at IS NULL) OR (revoked_at IS NOT NULL)));
alter table signing_keys add constraint signing_keys_id_pkey PRIMARY KEY (bucket, id);
alter table sitemap_entries add constraint sitemap_entries_article_id_pkey PRIMARY KEY (bucket, article_id);
alter table sitemap_files add constraint sitemap_files_entries_check CHECK (((entries >= 0) AND (entries <= 50000)));
alter table sitemap_files add constraint sitemap_files_number_check CHECK ((number > 0));
alter table sitemap_files add constraint sitemap_files_number_pkey PRIMARY KEY (bucket, number);
alter table tokens add constraint tokens_hash_key UNIQUE (bucket, hash);
alter table tokens add constraint tokens_id_pkey PRIMARY KEY (bucket, id);
alter table topics add constraint topics_article_count_check CHECK ((article_count >= 0));
alter table topics add constraint topics_slug_pkey PRIMARY KEY (bucket, slug);
alter table usernames add constraint usernames_skeleton_pkey PRIMARY KEY (bucket, skeleton);
alter table web_links add constraint web_links_hash_pkey PRIMARY KEY (bucket, hash);
alter table appeals add constraint appeals_action_id_fkey FOREIGN KEY (bucket, action_id) REFERENCES moderation_actions(bucket, id);
alter table article_topics add constraint article_topics_article_id_fkey FOREIGN KEY (bucket, article_id) REFERENCES articles(bucket, id);
alter table articles add constraint articles_author_id_fkey FOREIGN KEY (bucket, author_id) REFERENCES principals(bucket, id);
alter table comments_by_author add constraint comments_by_author_author_id_fkey FOREIGN KEY (bucket, author_id) REFERENCES principals(bucket, id);
alter table edges add constraint edges_created_by_principal_id_fkey FOREIGN KEY (bucket, created_by_principal_id) REFERENCES principals(bucket, id);
alter table edges add constraint edges_src_article_id_fkey FOREIGN KEY (bucket, src_article_id) REFERENCES articles(bucket, id);
alter table export_parts add constraint export_parts_export_id_fkey FOREIGN KEY (bucket, export_id) REFERENCES exports(bucket, id);
alter table followers add constraint followers_followee_id_fkey FOREIGN KEY (bucket, followee_id) REFERENCES principals(bucket, id);
alter table follows add constraint follows_follower_id_fkey FOREIGN KEY (bucket, follower_id) REFERENCES principals(bucket, id);
alter table key_nonces add constraint key_nonces_agent_id_fkey FOREIGN KEY (bucket, agent_id) REFERENCES principals(bucket, id);
alter table media add constraint media_held_checksum_fkey FOREIGN KEY (bucket, held_checksum) REFERENCES blobs(bucket, checksum);
alter table media add constraint media_owner_principal_id_fkey FOREIGN KEY (bucket, owner_principal_id) REFERENCES principals(bucket, id);
alter table media_variants add constraint media_variants_checksum_fkey FOREIGN KEY (bucket, checksum) REFERENCES blobs(bucket, checksum);
alter table principals add constraint principals_owner_principal_id_fkey FOREIGN KEY (bucket, owner_principal_id) REFERENCES principals(bucket, id);
alter table renderings add constraint renderings_hash_fkey FOREIGN KEY (bucket, hash) REFERENCES contents(bucket, hash) ON DELETE CASCADE;
alter table report_changes add constraint report_changes_report_id_fkey FOREIGN KEY (bucket, report_id) REFERENCES reports(bucket, id);
alter table republications add constraint republications_revision_id_fkey FOREIGN KEY (bucket, article_id, revision_id) REFERENCES revisions(bucket, article_id, id);
alter table revisions add constraint revisions_article_id_fkey FOREIGN KEY (bucket, article_id) REFERENCES articles(bucket, id);
alter table revisions add constraint revisions_held_hash_fkey FOREIGN KEY (bucket, held_hash) REFERENCES contents(bucket, hash);
alter table signing_keys add constraint signing_keys_agent_id_fkey FOREIGN KEY (bucket, agent_id) REFERENCES principals(bucket, id);
alter table tokens add constraint tokens_principal_id_fkey FOREIGN KEY (bucket, principal_id) REFERENCES principals(bucket, id);

CREATE INDEX appeals_status_idx ON public.appeals USING btree (status, id);
CREATE INDEX appeals_target_id_idx ON public.appeals USING btree (bucket, target_type, target_id, id);
CREATE INDEX article_search_document_idx ON public.article_search USING gin (document, title, marks) WITH (fastupdate=off);
CREATE INDEX article_supporters_follow_idx ON public.article_supporters USING btree (bucket, owner_id) WHERE (kind = 'follow'::text);
CREATE INDEX article_topics_published_at_idx ON public.article_topics USING btree (topic, published_at DESC, article_id DESC);
CREATE INDEX article_topics_topic_idx ON public.article_topics USING btree (topic, article_id DESC);
CREATE INDEX article_treatments_unfinished_idx ON public.article_treatments USING btree (started_at) WHERE (finished_at IS NULL);
CREATE INDEX article_trends_score_idx ON public.article_trends USING btree (score DESC, article_id DESC);
CREATE INDEX articles_author_changed_idx ON public.articles USING btree (bucket, author_id, id DESC) WHERE ((status = ANY (ARRAY['published'::text, 'hidden'::text])) AND (published_revision_id <> latest_revision_id));
CREATE INDEX articles_author_drafts_idx ON public.articles USING btree (bucket, author_id, id DESC) WHERE (status = 'draft'::text);
CREATE INDEX articles_author_hidden_idx ON public.articles USING btree (bucket, author_id, id DESC) WHERE (status = 'hidden'::text);
CREATE INDEX articles_author_id_idx ON public.articles USING btree (bucket, author_id, id DESC);
CREATE INDEX articles_author_kind_idx ON public.articles USING btree (author_kind, id DESC) WHERE listed;
CREATE INDEX articles_author_listed_idx ON public.articles USING btree (bucket, author_id, id DESC) INCLUDE (published_at) WHERE listed;
CREATE INDEX articles_author_not_public_idx ON public.articles USING btree (bucket, author_id, visibility, id DESC) WHERE (visibility <> 'public'::text);
CREATE INDEX articles_author_published_at_idx ON public.articles USING btree (author_id, published_at DESC, id DESC) WHERE listed;
CREATE INDEX articles_disclosure_idx ON public.articles USING btree (disclosure, id DESC) WHERE listed;
CREATE INDEX articles_disclosure_published_at_idx ON public.articles USING btree (disclosure, published_at DESC, id DESC) WHERE listed;
CREATE INDEX articles_kind_published_at_idx ON public.articles USING btree (author_kind, published_at DESC, id DESC) WHERE listed;
CREATE INDEX articles_language_idx ON public.articles USING btree (language, id DESC) WHERE listed;
CREATE INDEX articles_language_published_at_idx ON public.articles USING btree (language, published_at DESC, id DESC) WHERE listed;
CREATE INDEX articles_listed_idx ON public.articles USING btree (id DESC) WHERE listed;
CREATE INDEX articles_published_at_idx ON public.articles USING btree (published_at, id) WHERE listed;
CREATE INDEX articles_removed_at_idx ON public.articles USING btree (bucket, author_id, removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX articles_signed_idx ON public.articles USING btree (id DESC) WHERE (listed AND signed);
CREATE INDEX articles_signed_published_at_idx ON public.articles USING btree (published_at DESC, id DESC) WHERE (listed AND signed);
CREATE INDEX audit_log_action_idx ON public.audit_log USING btree (bucket, action, number);
CREATE INDEX audit_log_actor_idx ON public.audit_log USING btree (bucket, actor, number);
CREATE INDEX audit_log_target_id_idx ON public.audit_log USING btree (bucket, target_id, number);
CREATE INDEX ceremonies_expires_at_idx ON public.ceremonies USING btree (expires_at);
CREATE INDEX closings_unfinished_idx ON public.closings USING btree (closed_at) WHERE (forgotten_at IS NULL);
CREATE INDEX closings_unrecorded_idx ON public.closings USING btree (closed_at) WHERE ((recorded_at IS NULL) AND (treatment = 'erase'::text));
CREATE INDEX comment_search_comment_id_idx ON public.comment_search USING btree (comment_id);
CREATE INDEX comment_search_document_idx ON public.comment_search USING gin (document) WITH (gin_pending_list_limit='256');
CREATE INDEX comments_article_id_idx ON public.comments USING btree (bucket, article_id, id);
CREATE INDEX comments_author_id_idx ON public.comments USING btree (bucket, article_id, author_id, id);
CREATE INDEX comments_parent_comment_id_idx ON public.comments USING btree (bucket, parent_comment_id, id) WHERE (parent_comment_id IS NOT NULL);
CREATE INDEX comments_root_comment_id_idx ON public.comments USING btree (bucket, root_comment_id, id) WHERE (root_comment_id IS NOT NULL);
CREATE INDEX comments_stance_idx ON public.comments USING btree (bucket, article_id, stance, id) WHERE (stance IS NOT NULL);
CREATE INDEX edges_announced_idx ON public.edges USING btree (id DESC) WHERE (announced_at IS NOT NULL);
CREATE INDEX edges_hidden_idx ON public.edges USING btree (bucket, src_article_id, id) WHERE (shown IS NOT TRUE);
CREATE INDEX edges_src_article_id_idx ON public.edges USING btree (bucket, src_article_id, id DESC);
CREATE INDEX events_type_idx ON public.events USING btree (bucket, principal_id, type, id);
CREATE INDEX export_parts_name_idx ON public.export_parts USING btree (bucket, name) WHERE (name IS NOT NULL);
CREATE INDEX exports_expires_at_idx ON public.exports USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX exports_principal_id_idx ON public.exports USING btree (bucket, principal_id, id DESC);
CREATE UNIQUE INDEX exports_principal_id_key ON public.exports USING btree (bucket, principal_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX exports_stepped_at_idx ON public.exports USING btree (stepped_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX followers_follow_id_idx ON public.followers USING btree (bucket, followee_id, follow_id DESC);
CREATE INDEX follows_follow_id_idx ON public.follows USING btree (bucket, follower_id, follow_id DESC);
CREATE INDEX idempotency_keys_created_at_idx ON public.idempotency_keys USING brin (created_at);
CREATE INDEX incoming_edges_author_idx ON public.incoming_edges USING btree (bucket, dst_key, created_by_principal_id);
CREATE INDEX incoming_edges_kind_idx ON public.incoming_edges USING btree (bucket, dst_key, kind, id DESC);
CREATE INDEX key_nonces_expires_at_idx ON public.key_nonces USING brin (expires_at);
CREATE INDEX log_leaves_salt_idx ON public.log_leaves USING btree (bucket, article_id) WHERE (salt IS NOT NULL);
CREATE INDEX log_leaves_waiting_idx ON public.log_leaves USING btree (bucket, ticket) WHERE (number IS NULL);
CREATE INDEX media_held_checksum_idx ON public.media USING btree (bucket, held_checksum) WHERE (held_checksum IS NOT NULL);
CREATE INDEX media_no_image_idx ON public.media USING btree (bucket, owner_principal_id, kind, id DESC) WHERE (kind <> 'image'::text);
CREATE INDEX media_not_ready_idx ON public.media USING btree (bucket, owner_principal_id, status, id DESC) WHERE (status <> 'ready'::text);
CREATE INDEX media_owner_principal_id_idx ON public.media USING btree (bucket, owner_principal_id, id DESC);
CREATE INDEX media_pending_idx ON public.media USING btree (created_at) WHERE (status = 'pending'::text);
CREATE INDEX media_removed_at_idx ON public.media USING btree (bucket, owner_principal_id, removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX moderation_actions_author_id_idx ON public.moderation_actions USING btree (author_id, created_at) WHERE ((report_id IS NOT NULL) AND (lifted_at IS NULL));
CREATE INDEX moderation_actions_created_at_idx ON public.moderation_actions USING btree (created_at) INCLUDE (target_type, action, reason_code, source, appeal_status, id);
CREATE INDEX moderation_actions_owner_principal_id_idx ON public.moderation_actions USING btree (owner_principal_id, created_at) WHERE ((report_id IS NOT NULL) AND (lifted_at IS NULL));
CREATE INDEX moderation_actions_record_idx ON public.moderation_actions USING btree (author_id, id);
CREATE INDEX moderation_actions_target_id_idx ON public.moderation_actions USING btree (bucket, target_type, target_id, id);
CREATE INDEX moderation_actions_unrecorded_idx ON public.moderation_actions USING btree (created_at) WHERE ((recorded_at IS NULL) AND (source = 'legal'::text) AND (action = ANY (ARRAY['remove'::text, 'restore'::text])));
CREATE INDEX og_images_name_idx ON public.og_images USING btree (bucket, name);
CREATE INDEX outbox_id_idx ON public.outbox USING btree (id);
CREATE INDEX principal_search_document_idx ON public.principal_search USING gin (names, document, nearby) WITH (gin_pending_list_limit='256');
CREATE INDEX principal_search_username_idx ON public.principal_search USING btree (username);
CREATE INDEX principals_owner_principal_id_idx ON public.principals USING btree (bucket, owner_principal_id, id DESC) WHERE (owner_principal_id IS NOT NULL);
CREATE INDEX principals_unused_idx ON public.principals USING btree (created_at, id) WHERE unused;
CREATE INDEX quota_uses_window_start_idx ON public.quota_uses USING brin (window_start);
CREATE INDEX report_changes_report_id_idx ON public.report_changes USING btree (bucket, report_id, id);
CREATE INDEX report_changes_target_id_idx ON public.report_changes USING btree (bucket, target_type, target_id, id);
CREATE INDEX reports_category_idx ON public.reports USING btree (category, id);
CREATE INDEX reports_claimed_by_idx ON public.reports USING btree (claimed_by, id) WHERE (claimed_by IS NOT NULL);
CREATE INDEX reports_id_idx ON public.reports USING btree (id);
CREATE INDEX reports_open_both_idx ON public.reports USING btree (category, target_type, id) WHERE (status = ANY (ARRAY['open'::text, 'reviewing'::text]));
CREATE INDEX reports_open_category_idx ON public.reports USING btree (category, id) WHERE (status = ANY (ARRAY['open'::text, 'reviewing'::text]));
CREATE INDEX reports_open_target_type_idx ON public.reports USING btree (target_type, id) WHERE (status = ANY (ARRAY['open'::text, 'reviewing'::text]));
CREATE INDEX reports_queue_idx ON public.reports USING btree (id) WHERE (status = ANY (ARRAY['open'::text, 'reviewing'::text]));
CREATE INDEX reports_reporter_id_idx ON public.reports USING btree (reporter_id) WHERE (reporter_contact IS NOT NULL);
CREATE INDEX reports_status_idx ON public.reports USING btree (status, id);
CREATE INDEX reports_target_id_idx ON public.reports USING btree (bucket, target_type, target_id, id);
CREATE INDEX reports_target_type_idx ON public.reports USING btree (target_type, id);
CREATE INDEX revisions_held_hash_idx ON public.revisions USING btree (bucket, held_hash) WHERE (held_hash IS NOT NULL);
CREATE INDEX revisions_signature_key_id_idx ON public.revisions USING btree (bucket, signature_key_id, signed_at) WHERE (signature_key_id IS NOT NULL);
CREATE INDEX search_words_nearby_idx ON public.search_words USING gin (nearby) WITH (fastupdate=off);
CREATE INDEX search_words_word_idx ON public.search_words USING btree (word);
CREATE INDEX sessions_expires_at_idx ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_last_used_at_idx ON public.sessions USING btree (last_used_at);
CREATE INDEX sessions_principal_id_idx ON public.sessions USING btree (bucket, principal_id, id);
CREATE INDEX signing_keys_agent_id_idx ON public.signing_keys USING btree (bucket, agent_id, id DESC);
CREATE INDEX sitemap_entries_file_idx ON public.sitemap_entries USING btree (file, article_id);
CREATE INDEX tokens_issuer_token_id_idx ON public.tokens USING btree (bucket, issuer_token_id) WHERE (issuer_token_id IS NOT NULL);
CREATE INDEX tokens_principal_id_idx ON public.tokens USING btree (bucket, principal_id, id DESC);
CREATE INDEX topics_article_count_idx ON public.topics USING btree (article_count DESC, slug DESC);
CREATE INDEX topics_last_published_at_idx ON public.topics USING btree (last_published_at DESC, slug DESC);
CREATE INDEX usernames_reserved_until_idx ON public.usernames USING btree (reserved_until) WHERE (reserved_until IS NOT NULL);
CREATE INDEX web_links_expires_at_idx ON public.web_links USING btree (expires_at);
