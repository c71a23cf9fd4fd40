// The table of moderation for comments, media and principals.
import { gone, legal, none, shown } from './moderation-actions.ts';
import type { Table } from './moderation-actions.ts';

export const comments: Table = {
  visible: {
    way: [],
    seen: [shown, 'visible'],
    row: ['hidden', 'removed', 'legal', 422, 422, 409, 409, 'visible'],
  },
  hidden: {
    way: ['hide'],
    seen: [none, 'hidden'],
    row: [409, 'removed', 'legal', 422, 422, 'visible', 'visible', 'hidden'],
  },
  removed: {
    way: ['remove'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 'visible', 'visible', 'removed'],
  },
  'hidden and removed': {
    way: ['hide', 'remove'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 'visible', 'visible', 'removed'],
  },
  deleted: {
    way: ['author deletes'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 409, 409, 'deleted'],
  },
  'hidden and deleted': {
    way: ['hide', 'author deletes'],
    seen: [none, gone],
    row: [409, 'removed', 'legal', 422, 422, 'deleted', 'deleted', 'hidden and deleted'],
  },
  'hidden, deleted and removed': {
    way: ['hide', 'author deletes', 'remove'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 'deleted', 'deleted', 'removed'],
  },
  'removed and deleted': {
    way: ['remove', 'author deletes'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 'deleted', 'deleted', 'removed'],
  },
  'hidden, deleted and restored': {
    way: ['hide', 'author deletes', 'restore'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 409, 409, 'deleted'],
  },
  legal: {
    way: ['remove legally'],
    seen: [legal, legal],
    row: [409, 409, 409, 422, 422, 409, 'visible', 'legal'],
  },
  'deleted, then legal': {
    way: ['author deletes', 'remove legally'],
    seen: [legal, legal],
    row: [409, 409, 409, 422, 422, 409, 'deleted', 'legal'],
  },
  'legal, then deleted': {
    way: ['remove legally', 'author deletes'],
    seen: [legal, legal],
    row: [409, 409, 409, 422, 422, 409, 'deleted', 'legal'],
  },
};

export const files: Table = {
  pending: {
    way: [],
    seen: [none, 'pending'],
    row: [409, 'removed reservation', 'legal reservation', 422, 422, 409, 409, 'pending'],
  },
  rejected: {
    way: ['author uploads nonsense'],
    seen: [none, 'rejected'],
    row: [409, 409, 'legal reservation', 422, 422, 409, 409, 'rejected'],
  },
  'removed reservation': {
    way: ['remove'],
    seen: [none, gone],
    row: [409, 409, 'legal reservation', 422, 422, 'pending', 'pending', 'removed reservation'],
  },
  'legal reservation': {
    way: ['remove legally'],
    seen: [none, legal],
    row: [409, 409, 409, 422, 422, 409, 'pending', 'legal reservation'],
  },
  ready: {
    way: ['author uploads'],
    seen: [shown, 'ready'],
    row: ['hidden', 'removed', 'legal', 422, 422, 409, 409, 'ready'],
  },
  hidden: {
    way: ['author uploads', 'hide'],
    seen: [none, 'ready'],
    row: [409, 'removed', 'legal', 422, 422, 'ready', 'ready', 'hidden'],
  },
  removed: {
    way: ['author uploads', 'remove'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 'ready', 'ready', 'removed'],
  },
  'hidden and removed': {
    way: ['author uploads', 'hide', 'remove'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 'ready', 'ready', 'removed'],
  },
  deleted: {
    way: ['author uploads', 'author deletes'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 409, 409, 'deleted'],
  },
  'hidden and deleted': {
    way: ['author uploads', 'hide', 'author deletes'],
    seen: [none, gone],
    row: [409, 'removed', 'legal', 422, 422, 'deleted', 'deleted', 'hidden and deleted'],
  },
  'hidden, deleted and removed': {
    way: ['author uploads', 'hide', 'author deletes', 'remove'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 'deleted', 'deleted', 'removed'],
  },
  'removed and deleted': {
    way: ['author uploads', 'remove', 'author deletes'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 'deleted', 'deleted', 'removed'],
  },
  'removed, deleted and restored': {
    way: ['author uploads', 'remove', 'author deletes', 'restore'],
    seen: [gone, gone],
    row: [409, 409, 'legal', 422, 422, 409, 409, 'deleted'],
  },
  'legal, then deleted': {
    way: ['author uploads', 'remove legally', 'author deletes'],
    seen: [legal, legal],
    row: [409, 409, 409, 422, 422, 409, 'deleted', 'legal'],
  },
  legal: {
    way: ['author uploads', 'remove legally'],
    seen: [legal, legal],
    row: [409, 409, 409, 422, 422, 409, 'ready', 'legal'],
  },
  'deleted, then legal': {
    way: ['author uploads', 'author deletes', 'remove legally'],
    seen: [legal, legal],
    row: [409, 409, 409, 422, 422, 409, 'deleted', 'legal'],
  },
};

export const principals: Table = {
  active: {
    way: [],
    seen: ['active', 'active'],
    row: [422, 422, 422, 'de-indexed', 'suspended', 409, 409, 'active'],
  },
  'de-indexed': {
    way: ['de-index'],
    seen: ['active', 'active'],
    row: [422, 422, 422, 409, 'both', 'active', 'active', 'de-indexed'],
  },
  suspended: {
    way: ['suspend'],
    seen: ['suspended', 'suspended'],
    row: [422, 422, 422, 'both', 409, 'active', 'active', 'suspended'],
  },
  both: {
    way: ['suspend', 'de-index'],
    seen: ['suspended', 'suspended'],
    row: [422, 422, 422, 409, 409, 'active', 'active', 'both'],
  },
  closed: {
    way: ['author closes'],
    seen: [gone, 'unauthenticated'],
    row: [422, 422, 422, 409, 409, 409, 409, 'closed'],
  },
  'suspended and closed': {
    way: ['suspend', 'de-index', 'author closes past all rules'],
    seen: [gone, 'unauthenticated'],
    row: [422, 422, 422, 409, 409, 409, 409, 'closed'],
  },
};
