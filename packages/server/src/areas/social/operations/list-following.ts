// GET /v1/principals/{id}/following: the principals that a principal follows.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { listFollowedIds } from '../queries/index.ts';
import { followsFrom } from './list-followers.ts';

export const listFollowing = implement(operations.listFollowing)(followsFrom(listFollowedIds));
