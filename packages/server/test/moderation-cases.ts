// What each action makes of each kind of target in each state: one table, tried combination by combination. Articles are here.
import type { TargetType } from '@colophon/contract';
import { comments, files, principals } from './moderation-cases-others.ts';
import { gone, legal, none, shown } from './moderation-actions.ts';
import type { Table } from './moderation-actions.ts';

const articles: Table = {
  draft: {
    way: [],
    seen: [none, 'draft'],
    row: [
      'hidden draft',
      'removed draft',
      'legal draft',
      'de-indexed draft',
      422,
      409,
      409,
      'draft',
    ],
  },
  'de-indexed draft': {
    way: ['de-index'],
    seen: [none, 'draft'],
    row: [
      'hidden draft',
      'removed draft',
      'legal draft',
      409,
      422,
      'draft',
      'draft',
      'de-indexed draft',
    ],
  },
  'hidden draft': {
    way: ['hide'],
    seen: [none, 'hidden'],
    row: [
      409,
      'removed draft',
      'legal draft',
      'hidden draft',
      422,
      'draft',
      'draft',
      'hidden draft',
    ],
  },
  'hidden draft that is published': {
    way: ['hide', 'author publishes'],
    seen: [none, 'hidden'],
    row: [409, 'removed', 'legal', 'hidden', 422, 'published', 'published', 'hidden'],
  },
  published: {
    way: ['author publishes'],
    seen: [shown, 'published'],
    row: ['hidden', 'removed', 'legal', 'de-indexed', 422, 409, 409, 'published'],
  },
  'de-indexed': {
    way: ['author publishes', 'de-index'],
    seen: [shown, 'published'],
    row: ['hidden', 'removed', 'legal', 409, 422, 'published', 'published', 'de-indexed'],
  },
  hidden: {
    way: ['author publishes', 'hide'],
    seen: [none, 'hidden'],
    row: [409, 'removed', 'legal', 'hidden', 422, 'published', 'published', 'hidden'],
  },
  'de-indexed, hidden and removed': {
    way: ['author publishes', 'de-index', 'hide', 'remove'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 409, 422, 'published', 'published', 'removed'],
  },
  removed: {
    way: ['author publishes', 'remove'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 409, 422, 'published', 'published', 'removed'],
  },
  'removed draft': {
    way: ['remove'],
    seen: [none, gone],
    row: [409, 409, 'legal draft', 409, 422, 'draft', 'draft', 'removed draft'],
  },
  'legal draft': {
    way: ['remove legally'],
    seen: [none, legal],
    row: [409, 409, 409, 409, 422, 409, 'draft', 'legal draft'],
  },
  'removed by its author': {
    way: ['author publishes', 'author deletes'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 409, 422, 409, 409, 'removed by its author'],
  },
  'hidden and removed by its author': {
    way: ['author publishes', 'hide', 'author deletes'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 409, 422, 409, 409, 'removed by its author'],
  },
  unpublished: {
    way: ['author publishes', 'author unpublishes'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 409, 422, 409, 409, 'unpublished'],
  },
  erased: {
    way: ['author publishes', 'author erases'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 409, 422, 409, 409, 'erased'],
  },
  'removed and erased': {
    way: ['author publishes', 'remove', 'author erases'],
    seen: [gone, gone],
    // A restoration takes back the reason that the moderator gave.
    row: [409, 409, 'legal', 409, 422, 'erased', 'erased', 'erased'],
  },
  legal: {
    way: ['author publishes', 'remove legally'],
    seen: [legal, legal],
    row: [409, 409, 409, 409, 422, 409, 'published', 'legal'],
  },
  'removed, then legal': {
    way: ['author publishes', 'remove', 'remove legally'],
    seen: [legal, legal],
    row: [409, 409, 409, 409, 422, 409, 'published', 'legal'],
  },
  'removed by its author, then legal': {
    way: ['author publishes', 'author deletes', 'remove legally'],
    seen: [legal, legal],
    row: [409, 409, 409, 409, 422, 409, 'removed by its author', 'legal'],
  },
  'removed, restored, removed by its author, then legal': {
    way: ['author publishes', 'remove', 'restore', 'author deletes', 'remove legally'],
    seen: [legal, legal],
    row: [409, 409, 409, 409, 422, 409, 'removed by its author', 'legal'],
  },
  'unpublished, then legal': {
    way: ['author publishes', 'author unpublishes', 'remove legally'],
    seen: [legal, legal],
    row: [409, 409, 409, 409, 422, 409, 'unpublished', 'legal'],
  },
  'legal, then erased': {
    way: ['author publishes', 'remove legally', 'author erases'],
    seen: [legal, legal],
    row: [409, 409, 409, 409, 422, 409, 'erased', 'legal'],
  },
  'erased, then legal': {
    way: ['author publishes', 'author erases', 'remove legally'],
    seen: [legal, legal],
    row: [409, 409, 409, 409, 422, 409, 'erased', 'legal'],
  },
};

export const table: Readonly<Record<TargetType, Table>> = {
  article: articles,
  comment: comments,
  media: files,
  principal: principals,
};
