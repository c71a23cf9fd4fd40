-- What a moderator hid or removed may lose its text by its author's word, and stays hidden or removed.
alter table comments drop constraint comments_content_check;
alter table comments add constraint comments_content_check check (
  status in ('hidden', 'removed')
  or (status = 'deleted') = (content is null)
);
