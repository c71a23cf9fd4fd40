// What follows a publication, compared with the history of a run: its message, its index entry, its leaf in the log.
import assert from 'node:assert/strict';
import type pg from 'pg';
import type { Entry, History } from './history.ts';

function perArticle(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { articleId = '' } of entries) counts.set(articleId, (counts.get(articleId) ?? 0) + 1);
  return counts;
}

/**
 * I4 while no pipeline runs: each publication has exactly one message. One whose answer is still to
 * come may have its message already. Answers how many messages there are.
 */
export async function checkMessages(client: pg.Client, history: History): Promise<number> {
  const { rows } = await client.query<{ id: string; messages: number }>(`
    select payload->>'article_id' as id, count(*)::integer as messages from outbox where type = 'article.changed' group by 1`);
  const found = new Map(rows.map((row) => [row.id, row.messages]));
  const least = perArticle(history.of('ok', 'publish'));
  const open = perArticle([
    ...history.of('unknown', 'publish'),
    ...history.of('invoked', 'publish'),
  ]);
  for (const id of new Set([...found.keys(), ...least.keys()])) {
    const [messages, known] = [found.get(id) ?? 0, least.get(id) ?? 0];
    const fits = messages >= known && messages <= known + (open.get(id) ?? 0);
    assert.ok(fits, `I4 ${messages} messages for ${known} publications of ${id}`);
  }
  return rows.reduce((sum, row) => sum + row.messages, 0);
}

/** I4 once the pipeline has run: whatever is published is indexed as its newest publication. */
export async function countUnindexed(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ left: number }>(`
    select (select count(*) from outbox)::integer + (
      select count(*) from articles a
      left join article_search s on s.bucket = a.bucket and s.article_id = a.id
      where a.listed and s.revision_id is distinct from a.published_revision_id)::integer as left`);
  return rows[0]?.left ?? -1;
}

/** Each publication that was answered has one leaf in the transparency log, once that has all. Answers how many have. */
export async function countLogged(client: pg.Client, history: History): Promise<number> {
  const { rows } = await client.query<{ revision: string; leaves: number }>(`
    select split_part(cause, '/', 2) as revision, count(*)::integer as leaves
    from log_leaves
    where bucket = 0 and number is not null and cause like 'publication/%'
    group by 1`);
  for (const { revision, leaves } of rows)
    assert.equal(leaves, 1, `${leaves} leaves for the publication of ${revision}`);
  const logged = new Set(rows.map(({ revision }) => revision));
  return history.of('ok', 'publish').filter(({ mark }) => logged.has(mark)).length;
}
