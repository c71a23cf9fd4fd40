// The derived rows of the feed and of topics, for articles that were filled in.
import type pg from 'pg';
import { BUCKETS } from '../../packages/server/src/lib/id.ts';

/** One article in ten has up to 100 points; scores are computed as in rules/trending.ts. */
const trends = `
  insert into article_trends (bucket, article_id, points, score, published_at)
  select bucket, id, points,
    log(2, 1 + points) + extract(epoch from published_at - '2026-01-01'::timestamptz) / 43200, published_at
  from (
    select bucket, id, published_at,
      case when hashtext(id) % 10 = 0 then abs(hashtext(id)) / 10 % 100 else 0 end as points
    from articles
    where listed
  ) as counted`;

const topics = `
  insert into topics (bucket, slug, article_count, last_published_at)
  select (get_byte(hash, 0) * 256 + get_byte(hash, 1)) % ${BUCKETS}, topic, count, last
  from (
    select topic, sha256(convert_to(topic, 'UTF8')) as hash, count(*) as count, max(published_at) as last
    from article_topics
    group by topic
  ) as counted`;

export async function fillFeed(client: pg.Client): Promise<void> {
  await client.query('drop index article_trends_score_idx');
  await client.query(trends);
  await client.query(topics);
  await client.query(
    'create index article_trends_score_idx on article_trends (score desc, article_id desc)',
  );
  await client.query('vacuum analyze article_trends, topics');
}
