// The row types of edges and of the articles at their ends, and the columns that statements select.
import type { articleStatuses, edgeKinds, visibilities } from '@colophon/contract';
import { sql } from '#database';

export type EdgeKind = (typeof edgeKinds)[number];

export interface EdgeRow {
  readonly id: string;
  readonly src_article_id: string;
  readonly kind: EdgeKind;
  /** The key by which destinations are compared: id of the article, or SHA-256 of the address. */
  readonly dst_key: string;
  readonly dst_article_id: string | null;
  readonly dst_uri: string | null;
  readonly via_comment_id: string | null;
  readonly note: string | null;
  readonly created_by_principal_id: string;
  readonly created_at: string;
}

/** The columns that decide who may see and find an article, and who is notified of its changes. */
export interface EndRow {
  readonly id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly status: (typeof articleStatuses)[number];
  readonly visibility: (typeof visibilities)[number];
  readonly published_revision_id: string | null;
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
  readonly deindexed: boolean;
}

/** The same with the columns that a list shows. */
export interface ShownEndRow extends EndRow {
  readonly title: string | null;
  readonly author_kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string | null;
  readonly model: string | null;
  readonly provider: string | null;
}

/** Columns of `edges e` or `incoming_edges e`. */
export const edgeColumns = sql`
    e.id, e.src_article_id, e.kind, e.dst_key, e.dst_article_id, e.dst_uri, e.via_comment_id, e.note,
    e.created_by_principal_id, e.created_at`;

/** Columns of `articles a` and its author `principals p`, with names that no column of an edge has. */
export const endColumns = sql`
    a.author_id, p.owner_principal_id, a.status, a.visibility, a.published_revision_id, a.removed_at,
    a.removed_legally, a.reason_code, a.deindexed`;
