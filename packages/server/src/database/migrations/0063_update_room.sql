-- A use of a token updates its row. Room on the page lets it touch no index: 56 % of these updates instead of 5 %. Other
-- tables with many updates (articles, article_trends) gained nothing from it, because the updates change indexed values.
alter table tokens set (fillfactor = 80);

-- These tables change most for their size. They are vacuumed after a twentieth of their rows has changed. The default is
-- a fifth, which is days of changes and hours of vacuum when a table is large.
alter table articles set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
alter table article_trends set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.05);
alter table tokens set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
