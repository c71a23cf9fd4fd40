// POST /v1/articles: creates a draft and its first revision.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { newId } from '#lib/id';
import { canonicalLanguageTag } from '@colophon/text/lib/language-tag';
import { articlePath } from '#lib/slug';
import { timestamp } from '#lib/timestamp';
import { languageUnknown } from '../outbox.ts';
import { insertArticle } from '../queries/index.ts';
import { contentOf, defaultDisclosure } from '../rules/articles.ts';
import { signingInput } from '../rules/signatures.ts';

export const createArticle = implement(operations.createArticle, async ({ text }, { body }) => ({
  content: await contentOf({
    title: body.title,
    content: body.content,
    metadata: body.metadata ?? {},
  }),
  language: canonicalLanguageTag(body.language ?? '') ?? (await text.detectLanguage(body.content)),
}))(async ({ tx, caller, config, now, charge }, { body }, { content, language }) => {
  const { bucket } = caller;
  const id = newId(bucket, now.getTime());
  const revisionId = newId(bucket, now.getTime());
  const createdAt = timestamp(now);
  void insertArticle(tx, {
    bucket,
    id,
    authorId: caller.id,
    authorKind: caller.kind,
    visibility: body.visibility ?? 'public',
    language: language ?? 'und',
    disclosure: body.authorship_disclosure ?? defaultDisclosure(caller.kind),
    canonicalUrl: body.canonical_url ?? null,
    revisionId,
    signingBase: config.baseUrl,
    content,
    now,
  });
  if (language === undefined) languageUnknown(tx, { bucket, id }, now);
  charge('articles.create');
  return {
    status: 201,
    location: `/v1/articles/${id}`,
    body: {
      id,
      url: `${config.baseUrl}${articlePath(caller.username, body.title, id)}`,
      status: 'draft',
      revision_id: revisionId,
      content_hash: content.hash,
      created_at: createdAt,
      signing_input: signingInput({
        base: config.baseUrl,
        articleId: id,
        revisionId,
        authorId: caller.id,
        createdAt,
        contentHash: content.hash,
      }),
    },
  };
});
