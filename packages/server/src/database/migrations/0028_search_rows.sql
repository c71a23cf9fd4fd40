-- Search reads the words of every candidate: most stay in the row itself, where a table beside it took two
-- look-ups for each of them. Rows that exist are made anew by the worker.
alter table article_search set (toast_tuple_target = 8160);

-- Words that are not known are taken for as common as they can be: the more are known, the better the guess.
alter table article_search alter column document set statistics 500;
