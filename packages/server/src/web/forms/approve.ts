// Publishes a text of the person's agent, as docs/agents.md says: with a token of the agent that can only publish.
import { isProblem, problem } from '#http';
import type { Caller } from '#http';
import type { PageContext } from '../context.ts';
import type { Article } from '../page-services.ts';
import { publishedPath } from '../pages/article-facts.ts';
import { findOwn } from '../pages/own-article.ts';
import { shownTag } from '../pages/review.ts';
import { callerOf, textOf } from './form.ts';
import type { Form, SentForm } from './form.ts';

/** The token is revoked at once; should the server stop before, it ends by itself. */
const tokenMs = 60_000;
/** The newest tokens of an agent, among which is the last one of an approval. */
const tokensMax = 100;

interface Approval {
  readonly owner: Caller;
  readonly article: Article;
  /** The ID of the token of the last approval of this text, or "first". */
  readonly before: string;
}

const tokenName = ({ id }: Article) => `one publication of ${id}, approved by the owner`;

/** While another request approves this text: it waits, as a form that is sent twice does. */
function runningProblem(endsAt = Date.now() + tokenMs) {
  const detail = 'This text is being published already. Wait a moment, then load the page again.';
  const seconds = Math.max(1, Math.ceil((endsAt - Date.now()) / 1_000));
  return problem('idempotency-in-progress', detail, { retry_after_seconds: seconds });
}

/**
 * Returns the token of the last approval of this article; undefined if there was none.
 * @throws idempotency-in-progress: it is valid, so another request publishes with it, or was killed meanwhile
 */
async function lastToken({ invoke }: PageContext, owner: Caller, article: Article) {
  const query = { principal_id: article.author.id, limit: tokensMax };
  const { body } = await invoke('listTokens', { caller: owner, params: {}, query });
  const last = body.items.find(({ name }) => name === tokenName(article));
  const endsAt = Date.parse(last?.expires_at ?? '');
  if (last?.revoked_at === null && endsAt > Date.now()) throw runningProblem(endsAt);
  return last;
}

/**
 * Issues the token of an approval. However many requests approve a text at once, one of them gets it: the key
 * names the text and the token before.
 * @throws idempotency-in-progress: another request has it
 */
async function issueOnce(web: PageContext, { owner, article, before }: Approval) {
  try {
    const { body } = await web.invoke('issueToken', {
      caller: owner,
      params: {},
      body: {
        principal_id: article.author.id,
        name: tokenName(article),
        scopes: ['articles:publish'],
        expires_at: new Date(Date.now() + tokenMs).toISOString(),
      },
      idempotencyKey: `approve.${article.id}.${before}`,
    });
    if (body.token === null) throw runningProblem();
    return { id: body.id, token: body.token };
  } catch (error) {
    // Of two requests at once the second one has another end, and so another body.
    if (isProblem(error) && error.problem === 'idempotency-key-reuse') throw runningProblem();
    throw error;
  }
}

/**
 * Issues a token that can only publish to the agent of the caller, runs `work` with it, and revokes it. The
 * secret never leaves this function.
 */
async function withToken<T>(
  web: PageContext,
  approval: Approval,
  work: (agent: Caller) => Promise<T>,
): Promise<T> {
  const { id, token } = await issueOnce(web, approval);
  try {
    const agent = await web.callerOfToken(token);
    if (agent === undefined) throw problem('unauthenticated', 'The token was revoked. Try again.');
    return await work(agent);
  } finally {
    await web.invoke('revokeToken', { caller: approval.owner, params: { id } });
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

/**
 * Publishes with the token. @throws unavailable: an earlier request that outlived its token still publishes:
 * no further tokens are issued while the form waits for itself
 */
async function publish(web: PageContext, agent: Caller, sent: SentForm, article: Article) {
  const { id, revision_id } = article;
  try {
    const { body } = await web.invoke('publishArticle', {
      caller: agent,
      params: { id },
      body: { revision_id },
      shown: textOf(sent, 'shown'),
      idempotencyKey: `${sent.key}.${revision_id}`,
    });
    return body;
  } catch (error) {
    if (!isProblem(error) || error.problem !== 'idempotency-in-progress') throw error;
    throw problem('unavailable', error.message, error.members);
  }
}

/**
 * Publishes the text, or returns what an earlier approval published after `article` was read. The tokens are
 * read before the article is read again: an approval revokes its token last, so either its token or its
 * publication is seen, and two requests never issue one each.
 */
async function publishOnce(web: PageContext, owner: Caller, sent: SentForm, article: Article) {
  const last = await lastToken(web, owner, article);
  if (last !== undefined) {
    const again = await findOwn(web, owner, article.id);
    const published = await publishedAt(web, owner, again.article);
    if (published !== undefined) return published;
  }
  const approval = { owner, article, before: last?.id ?? 'first' };
  return withToken(web, approval, (agent) => publish(web, agent, sent, article));
}

/** Publishes what the page of the form showed; undefined if the agent has changed it since. */
async function publishShown(web: PageContext, owner: Caller, sent: SentForm, article: Article) {
  if (textOf(sent, 'shown') !== shownTag(article)) return undefined;
  try {
    return await publishOnce(web, owner, sent, article);
  } catch (error) {
    // It was changed after it was read here.
    if (isProblem(error) && error.problem === 'conflict') return undefined;
    throw error;
  }
}

async function approve(web: PageContext, sent: SentForm): Promise<string> {
  const caller = callerOf(sent);
  const { relation, article } = await findOwn(web, caller, sent.asked.params['id'] ?? '');
  const { id, revision_id, visibility } = article;
  if (relation === 'author') throw problem('not-found', 'This article is your own.');
  const changed = `/review/${id}?said=changed#said`;
  if (textOf(sent, 'revision') !== revision_id) return changed;
  const published =
    (await publishedAt(web, caller, article)) ?? (await publishShown(web, caller, sent, article));
  if (published === undefined) return changed;
  return visibility === 'private'
    ? `/write/${id}/preview?said=private#said`
    : publishedPath(web.site, published);
}

export const approveForm: Form = {
  operation: 'publishArticle',
  send: approve,
};
