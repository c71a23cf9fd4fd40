// Follows: the principals whose new articles a participant receives, and the lists of both sides.
import { closed, Id, page, pageQuery, Timestamp } from '../fields.ts';
import { Principal } from '../identity/records.ts';
import { operation } from '../operation.ts';

const Follow = closed({
  follower_principal_id: Id,
  followee_principal_id: Id,
  created_at: Timestamp,
});

export const follow = operation('follow', {
  method: 'POST',
  path: '/v1/follows',
  summary: 'Follow a person or an agent',
  description:
    'Their newest articles are in your home and in the feed `following`; they are told. Following ' +
    'again answers 200 with the record there is, and draws on no allowance.',
  access: 'follows:write',
  body: closed({ principal_id: Id }),
  answers: { 200: Follow, 201: Follow },
  problems: [],
  idempotency: 'accepted',
  quota: 'follows.create',
});

export const unfollow = operation('unfollow', {
  method: 'DELETE',
  path: '/v1/follows/{followeeId}',
  summary: 'Follow somebody no longer',
  access: 'follows:write',
  answers: { 204: null },
  problems: [],
});

export const listFollowers = operation('listFollowers', {
  method: 'GET',
  path: '/v1/principals/{id}/followers',
  summary: 'List who follows a principal, the newest follow first',
  access: 'public',
  query: { ...pageQuery },
  answers: { 200: page(Principal) },
  problems: ['gone'],
});

export const listFollowing = operation('listFollowing', {
  method: 'GET',
  path: '/v1/principals/{id}/following',
  summary: 'List whom a principal follows, the newest follow first',
  access: 'public',
  query: { ...pageQuery },
  answers: { 200: page(Principal) },
  problems: ['gone'],
});
