// The derived rows of the sitemap, for articles that were filled in. All of them fit into one file.
import type pg from 'pg';

export async function fillSitemap(client: pg.Client): Promise<void> {
  await client.query(`
    insert into sitemap_entries (bucket, article_id, file, revision_id, lastmod)
    select bucket, id, 1, published_revision_id, updated_at
    from articles
    where listed`);
  await client.query(`
    insert into sitemap_files (bucket, number, entries, changed_at)
    select 0, 1, count(*), max(lastmod)
    from sitemap_entries`);
}
