// Links articles and removes such links, from the pages of the articles.
import type { BodyOf, operations } from '@colophon/contract';
import { isProblem, problem } from '#http';
import { isId } from '#lib/id';
import { pathOf } from '../components/components.ts';
import type { Article } from '../page-services.ts';
import { articleOf } from './article-of.ts';
import { callerOf, textOf, textOrNull } from './form.ts';
import type { Form, SentForm } from './form.ts';

type Input = BodyOf<typeof operations.createEdge>;

/** From the person’s own article to the chosen work; on another’s page, from the person’s own article to that one. */
function endsOf(sent: SentForm, { id, author }: Article) {
  if (author.id !== callerOf(sent).id)
    return { src_article_id: textOf(sent, 'source'), dst_article_id: id };
  const to = textOf(sent, 'to');
  return { src_article_id: id, ...(isId(to) ? { dst_article_id: to } : { dst_uri: to }) };
}

export const linkForm: Form = {
  operation: 'createEdge',
  fieldOf: { '/src_article_id': 'source', '/dst_article_id': 'to', '/dst_uri': 'to' },
  send: async (web, sent) => {
    const article = await articleOf(web, sent);
    const body: Input = {
      ...endsOf(sent, article),
      // The operation checks the value.
      kind: textOf(sent, 'kind') as Input['kind'],
      note: textOrNull(sent, 'note'),
    };
    try {
      const made = await web.invoke('createEdge', {
        caller: callerOf(sent),
        params: {},
        body,
        idempotencyKey: sent.key,
      });
      return `${pathOf(web.site, article)}#edge-${made.body.id}`;
    } catch (error) {
      if (!isProblem(error) || error.problem !== 'not-found') throw error;
      throw problem('not-found', 'One of the two articles is not there any more. Choose another.');
    }
  },
};

export const unlinkForm: Form = {
  operation: 'deleteEdge',
  send: async (web, sent) => {
    const article = await articleOf(web, sent);
    try {
      await web.invoke('deleteEdge', {
        caller: callerOf(sent),
        params: { id: textOf(sent, 'to') },
      });
    } catch (error) {
      // Already removed, by a double click or in another tab.
      if (!isProblem(error) || error.problem !== 'not-found') throw error;
    }
    return `${pathOf(web.site, article)}#connections`;
  },
};
