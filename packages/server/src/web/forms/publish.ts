// Saves the details of an article, and publishes the text and the details that its author has seen.
import { isProblem } from '#http';
import type { PageContext } from '../context.ts';
import { publishedPath } from '../pages/article-facts.ts';
import { saveDetails } from './details.ts';
import type { Saved } from './details.ts';
import { callerOf, textOf } from './form.ts';
import type { Form, SentForm } from './form.ts';
import { inWords } from './words.ts';

/** Whether the author has seen the newest text: the revision that the page showed has the same one. */
async function isSeen(web: PageContext, sent: SentForm, { article }: Saved): Promise<boolean> {
  const seen = textOf(sent, 'revision');
  if (seen === article.revision_id) return true;
  try {
    const params = { id: article.id, revision_id: seen };
    const { body } = await web.invoke('readRevision', { caller: callerOf(sent), params });
    return body.title === article.title && body.content === article.content;
  } catch (error) {
    if (isProblem(error) && error.problem === 'not-found') return false;
    throw error;
  }
}

/** Publishes the revision and returns the path to show. The problem says what was saved. */
async function publish(web: PageContext, sent: SentForm, { article, revisionId }: Saved) {
  try {
    const { body } = await web.invoke('publishArticle', {
      caller: callerOf(sent),
      params: { id: article.id },
      body: { revision_id: revisionId },
      idempotencyKey: `${sent.key}.publish.${revisionId}`,
    });
    return publishedPath(web.site, body);
  } catch (error) {
    if (!isProblem(error) || error.problem === 'idempotency-in-progress') throw error;
    const said = inWords(error, sent.caller);
    const message = `The details are saved, but the article is not published. ${said.message}`;
    throw Object.assign(said, { message });
  }
}

async function sendPublish(web: PageContext, sent: SentForm): Promise<string> {
  const saved = await saveDetails(web, sent);
  const { id } = saved.article;
  if (saved.hasUnseen) return `/write/${id}/publish?said=details#said`;
  if (textOf(sent, 'act') !== 'publish') return `/write/${id}/publish?said=saved#said`;
  if (!(await isSeen(web, sent, saved))) return `/write/${id}/publish?said=changed#said`;
  const path = await publish(web, sent, saved);
  const visibility = textOf(sent, 'visibility') || saved.article.visibility;
  return visibility === 'private' ? `/write/${id}/preview?said=private#said` : path;
}

export const publishForm: Form = {
  operation: 'publishArticle',
  fieldOf: { '/language': 'other_language', '/metadata': 'description' },
  send: sendPublish,
};
