-- Search reads the words of every candidate: most stay in the row itself, where a table beside it took two
-- look-ups for each of them. Rows that exist are made anew by the worker.
alter table article_search set (toast_tuple_target = 8160);
