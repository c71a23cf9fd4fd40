// Every read that can show what only moderators see, for the test of the audit log.

export const address = 'https://example.org/read-by-moderators';

/** Every read that can show what only moderators see, with how it is asked; `path` is made once the scenario stands. */
export interface Read {
  readonly name: string;
  readonly path: () => string;
  /** What the row names. */
  readonly target: () => string;
  /** A moderator reads it, and an author never may. */
  readonly queue?: true;
  readonly details?: () => object;
}

/** The reads of a scenario whose ids have these names. */
export const readsOf = (id: (name: string) => string): readonly Read[] => [
  { name: 'readArticle', path: () => `/articles/${id('draft')}`, target: () => id('draft') },
  { name: 'readArticle', path: () => `/articles/${id('secret')}`, target: () => id('secret') },
  {
    name: 'readArticle',
    path: () => `/articles/${id('secret')}?view=spotlight`,
    target: () => id('secret'),
  },
  {
    name: 'listRevisions',
    path: () => `/articles/${id('draft')}/revisions`,
    target: () => id('draft'),
    details: () => ({ unpublished_revisions: [id('draft revision')] }),
  },
  {
    name: 'listRevisions',
    path: () => `/articles/${id('open')}/revisions`,
    target: () => id('open'),
    details: () => ({ unpublished_revisions: [id('second')] }),
  },
  {
    name: 'readRevision',
    path: () => `/articles/${id('open')}/revisions/${id('second')}`,
    target: () => id('open'),
    details: () => ({ unpublished_revisions: [id('second')] }),
  },
  {
    name: 'readRevision',
    path: () => `/articles/${id('secret')}/revisions/${id('secret revision')}`,
    target: () => id('secret'),
  },
  {
    name: 'readProof',
    path: () => `/articles/${id('open')}/revisions/${id('second')}/proof`,
    target: () => id('open'),
    details: () => ({ unpublished_revisions: [id('second')] }),
  },
  {
    name: 'readDiff',
    path: () => `/articles/${id('open')}/diff?to=${id('second')}`,
    target: () => id('open'),
    details: () => ({ unpublished_revisions: [id('second')] }),
  },
  {
    name: 'readProcessing',
    path: () => `/articles/${id('secret')}/processing`,
    target: () => id('secret'),
  },
  {
    name: 'listComments',
    path: () => `/articles/${id('secret')}/comments`,
    target: () => id('secret'),
  },
  {
    name: 'readStances',
    path: () => `/articles/${id('secret')}/stances`,
    target: () => id('secret'),
  },
  { name: 'readComment', path: () => `/comments/${id('comment')}`, target: () => id('secret') },
  {
    name: 'readComment',
    path: () => `/comments/${id('hidden comment')}`,
    target: () => id('hidden comment'),
    details: () => ({ article_id: id('open'), status: 'hidden' }),
  },
  {
    name: 'readComment',
    path: () => `/comments/${id('hidden comment')}?view=spotlight`,
    target: () => id('hidden comment'),
  },
  {
    name: 'listReplies',
    path: () => `/comments/${id('comment')}/replies`,
    target: () => id('secret'),
  },
  { name: 'readEdge', path: () => `/edges/${id('edge')}`, target: () => id('secret') },
  {
    name: 'listEdges',
    path: () => `/edges?dst_uri=${encodeURIComponent(address)}`,
    target: () => id('secret'),
  },
  {
    name: 'listArticleEdges',
    path: () => `/articles/${id('secret')}/edges?direction=out`,
    target: () => id('secret'),
  },
  {
    name: 'listArticleEdges',
    path: () => `/articles/${id('open')}/edges?direction=in`,
    target: () => id('secret'),
  },
  { name: 'readGraph', path: () => `/articles/${id('open')}/graph`, target: () => id('secret') },
  { name: 'readMedia', path: () => `/media/${id('pending')}`, target: () => id('pending') },
  {
    name: 'readMediaContent',
    path: () => `/media/${id('hidden')}/content`,
    target: () => id('hidden'),
  },
  {
    name: 'readReport',
    path: () => `/moderation/reports/${id('report')}`,
    target: () => id('secret'),
    queue: true,
  },
  {
    name: 'readReport',
    path: () => `/moderation/reports/${id('report of comment')}`,
    target: () => id('hidden comment'),
    details: () => ({ comments: [id('hidden comment')] }),
    queue: true,
  },
  {
    name: 'readReport',
    path: () => `/moderation/reports/${id('report of file')}`,
    target: () => id('pending'),
    details: () => ({ media: [id('pending')] }),
    queue: true,
  },
  {
    name: 'listReports',
    path: () => '/moderation/reports?target_type=comment',
    target: () => id('hidden comment'),
    details: () => ({ comments: [id('hidden comment')] }),
    queue: true,
  },
  {
    name: 'listReports',
    path: () => '/moderation/reports',
    target: () => id('secret'),
    queue: true,
  },
  {
    name: 'readAppeal',
    path: () => `/moderation/appeals/${id('appeal')}`,
    target: () => id('appealed'),
    queue: true,
  },
];

/** Reads that show nothing which only moderators see, each with the reason. */
export const harmless: Readonly<Record<string, string>> = {
  listArticles: 'authors list their own',
  listOwnComments: 'the caller’s own',
  listFollowers: 'public records of accounts',
  listFollowing: 'public records of accounts',
  listMedia: 'the caller’s own',
  listModerationHistory: 'actions, no texts of the object',
  listAppeals: 'the author’s appeal, no text of the object',
  listModerationStatements: 'public',
  readModerationStatistics: 'public',
};
