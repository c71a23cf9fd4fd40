// The door of social: comments, edges between articles, and follows.
import * as implemented from './operations/index.ts';
import { forgetComments } from './subscribers/comments.ts';
import { followArticle, followErasure, notifyOfCitation } from './subscribers/edges.ts';
import { forgetFollows } from './subscribers/follows.ts';

export const operations = Object.values(implemented);

export const subscribers = [
  forgetComments,
  forgetFollows,
  followArticle,
  followErasure,
  notifyOfCitation,
];
export { eraseComments } from './subscribers/comments.ts';
export { exportedComments, exportedEdges, exportedFollows } from './service/exporting.ts';
export { newestComments, listedComments } from './service/listed-comments.ts';
export { isSameThread, readOpenThread } from './service/open-thread.ts';
export { receptionOf } from './service/reception.ts';
export { mentionsOf } from './service/mentions.ts';
export { existsFollow, lockModeratedComment, setModeratedComment } from './queries/index.ts';
export { commentModerated } from './outbox/comments.ts';
