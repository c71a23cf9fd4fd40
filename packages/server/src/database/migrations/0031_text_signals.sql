-- What in a content is made for machines, found when it is rendered. null: nobody has looked.
alter table renderings add column signals json;
