// GET /v1/edges: the edges to an address; without an address, the newest edges of listed articles.
import { auditedRead, isFindable } from '#articles';
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { articleUrl } from '#lib/slug';
import { findShownEnds, listIncoming, listListedEdges } from '../queries/index.ts';
import type { ShownEndRow } from '../queries/index.ts';
import { asSource, targetOfAddress, viewerOf } from '../rules/edges.ts';
import { endsOf, listedEdgeView } from '../views/edges.ts';

export const listEdges = implement(operations.listEdges)(async (
  { db, caller, config },
  { query },
) => {
  const limit = limitOf(query);
  const page = { before: query.cursor, limit };
  const { dst_uri: address } = query;
  const rows = await (address === undefined
    ? listListedEdges(db, page)
    : listIncoming(db, targetOfAddress(address), { ...page, viewer: viewerOf(caller) }));
  const { items, next_cursor } = pageOf(rows, limit, {
    view: (row) => row,
    cursor: (row) => row.id,
  });
  const ids = items.flatMap((row) => [row.src_article_id, row.dst_article_id]);
  const ends = await findShownEnds(db, [...new Set(ids.filter((id) => id !== null))]);
  const shown = items.flatMap((row) => {
    const source = ends.get(row.src_article_id);
    if (source === undefined || !isFindable(asSource(source), caller)) return [];
    const destination = ends.get(row.dst_article_id ?? '');
    const urlOf = (article: ShownEndRow) => articleUrl(config.baseUrl, article);
    return [listedEdgeView(row, { source, destination }, source, urlOf)];
  });
  const audited = auditedRead(caller, endsOf(shown, ends).map(asSource));
  return { status: 200, body: { items: shown, next_cursor }, shared: true, ...audited };
});
