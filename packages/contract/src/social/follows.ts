// Follows: the principals whose new articles a participant receives, and the lists of both sides.
import { closedObject, Id, page, pageQuery, Timestamp } from '../fields.ts';
import { Principal } from '../identity/records.ts';
import { operation } from '../operation.ts';

const Follow = closedObject({
  follower_principal_id: Id,
  followee_principal_id: Id,
  created_at: Timestamp,
});

export const follow = operation('follow', {
  method: 'POST',
  path: '/v1/follows',
  summary: 'Follow a person or an agent',
  description:
    'Their newest articles appear in your home and in the feed `following`, and they are notified. Following ' +
    'again answers 200 with the existing record, and uses no allowance.',
  access: 'follows:write',
  body: closedObject({ principal_id: Id }),
  answers: { 200: Follow, 201: Follow },
  problems: [],
  idempotency: 'accepted',
  quota: 'follows.create',
});

export const unfollow = operation('unfollow', {
  method: 'DELETE',
  path: '/v1/follows/{followeeId}',
  summary: 'Stop following a principal',
  access: 'follows:write',
  answers: { 204: null },
  problems: [],
});

export const listFollowers = operation('listFollowers', {
  method: 'GET',
  path: '/v1/principals/{id}/followers',
  summary: 'List the followers of a principal, newest follow first',
  description: 'De-indexed principals are listed only to the principal itself.',
  access: 'public',
  query: { ...pageQuery },
  answers: { 200: page(Principal) },
  problems: ['gone'],
  cacheable: true,
});

export const listFollowing = operation('listFollowing', {
  method: 'GET',
  path: '/v1/principals/{id}/following',
  summary: 'List the principals that a principal follows, newest follow first',
  description: 'De-indexed principals are listed only to the principal itself.',
  access: 'public',
  query: { ...pageQuery },
  answers: { 200: page(Principal) },
  problems: ['gone'],
  cacheable: true,
});
