// An operation without a test beside it.
export const publishArticle = 1;
