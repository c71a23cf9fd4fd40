// The operations of social: each one exported here is served.
export { createComment } from './create-comment.ts';
export { createEdge } from './create-edge.ts';
export { createReply } from './create-reply.ts';
export { deleteComment } from './delete-comment.ts';
export { deleteEdge } from './delete-edge.ts';
export { follow } from './follow.ts';
export { listArticleEdges } from './list-article-edges.ts';
export { listComments } from './list-comments.ts';
export { listEdges } from './list-edges.ts';
export { listFollowers } from './list-followers.ts';
export { listFollowing } from './list-following.ts';
export { listOwnComments } from './list-own-comments.ts';
export { listReplies } from './list-replies.ts';
export { readComment } from './read-comment.ts';
export { readEdge } from './read-edge.ts';
export { readGraph } from './read-graph.ts';
export { unfollow } from './unfollow.ts';
