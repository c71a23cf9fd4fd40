// Publishes a text of one's agent, as docs/agents.md says: with a token of the agent that can only publish.
import { randomUUID } from 'node:crypto';
import { problem } from '#http';
import type { Caller } from '#http';
import { pathOf } from '../components/components.ts';
import type { PageContext } from '../context.ts';
import type { Article } from '../page-services.ts';
import { findOwn } from '../pages/own-article.ts';
import { callerOf, textOf } from './form.ts';
import type { Form, SentForm } from './form.ts';
import { once } from './once.ts';

/** The token is revoked at once; should the server stop before, it ends by itself. */
const tokenMs = 60_000;

/**
 * Issues a token that can only publish to an agent of the caller, runs `work` with it, and revokes it. The
 * secret never leaves this function.
 */
async function withToken<T>(
  { invoke, callerOfToken }: PageContext,
  owner: Caller,
  agentId: string,
  work: (agent: Caller) => Promise<T>,
): Promise<T> {
  const { body } = await invoke('issueToken', {
    caller: owner,
    params: {},
    body: {
      principal_id: agentId,
      name: 'one publication, approved by the owner',
      scopes: ['articles:publish'],
      expires_at: new Date(Date.now() + tokenMs).toISOString(),
    },
    // Each one is new: a replay would have no secret.
    idempotencyKey: randomUUID(),
  });
  try {
    const agent = await callerOfToken(body.token ?? '');
    if (agent === undefined) throw problem('unauthenticated', 'The token was revoked. Try again.');
    return await work(agent);
  } finally {
    await invoke('revokeToken', { caller: owner, params: { id: body.id } });
  }
}

/** The address of the article, if readers see this revision already: the form was sent twice. */
async function publishedAt(
  { invoke }: PageContext,
  caller: Caller,
  article: Article,
): Promise<Pick<Article, 'url'> | undefined> {
  if (article.status === 'draft') return undefined;
  const { body } = await invoke('readArticle', { caller, params: { id: article.id } });
  return body.revision_id === article.revision_id ? body : undefined;
}

async function approve(web: PageContext, sent: SentForm): Promise<string> {
  const caller = callerOf(sent);
  const { relation, article } = await findOwn(web, caller, sent.asked.params['id'] ?? '');
  const { id, revision_id, visibility } = article;
  if (relation === 'author') throw problem('not-found', 'This article is your own.');
  if (textOf(sent, 'revision') !== revision_id) return `/review/${id}?said=changed#said`;
  const published =
    (await publishedAt(web, caller, article)) ??
    (await withToken(web, caller, article.author.id, async (agent) => {
      const { body } = await once(() =>
        web.invoke('publishArticle', {
          caller: agent,
          params: { id },
          body: { revision_id },
          idempotencyKey: `${sent.key}.${revision_id}`,
        }),
      );
      return body;
    }));
  return visibility === 'private'
    ? `/write/${id}/preview?said=private#said`
    : pathOf(web.site, published);
}

export const approveForm: Form = {
  operation: 'publishArticle',
  send: approve,
};
