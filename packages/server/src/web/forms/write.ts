// Saves an article from the editor: the first text makes a draft, every other one a revision.
import { limits } from '@colophon/contract';
import type { PageContext } from '../context.ts';
import { callerOf, textOf } from './form.ts';
import type { Form, SentForm } from './form.ts';

/** Characters of a title with its line breaks. */
const titleTypedMax = 16 * limits.title_max;

/** Percent-encoding takes three bytes for one; the rest is for the title and the line breaks. */
const bytesMax = 3 * limits.content_bytes_max + 512 * 1024;

/**
 * An article needs a title of one character; pages show the beginning of the text for a blank one. A line break,
 * which only a form without scripts sends, becomes a space.
 */
function textsOf(sent: SentForm) {
  const typed = textOf(sent, 'title');
  // One that is far too long is refused as it is.
  const title = typed.length > titleTypedMax ? typed : typed.replaceAll(/[\r\n]+/g, ' ');
  return { title: title.trim() === '' ? ' ' : title, content: textOf(sent, 'content') };
}

export const createDraftForm: Form = {
  operation: 'createArticle',
  bytesMax,
  send: async ({ invoke }: PageContext, sent) => {
    const { body } = await invoke('createArticle', {
      caller: callerOf(sent),
      params: {},
      body: textsOf(sent),
      idempotencyKey: sent.key,
    });
    return `/write/${body.id}`;
  },
};

export const saveDraftForm: Form = {
  operation: 'createRevision',
  bytesMax,
  send: async ({ invoke }: PageContext, sent) => {
    const { id = '' } = sent.asked.params;
    await invoke('createRevision', {
      caller: callerOf(sent),
      params: { id },
      body: textsOf(sent),
      idempotencyKey: sent.key,
      ifMatch: textOf(sent, 'revision'),
    });
    return `/write/${id}`;
  },
};
