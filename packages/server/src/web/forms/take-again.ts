// Takes an earlier text of an article again: as a new revision on top of the newest one.
import { isProblem } from '#http';
import type { PageContext } from '../context.ts';
import { metadataOf } from '../metadata.ts';
import { callerOf, textOf } from './form.ts';
import type { Form, SentForm } from './form.ts';

async function takeAgain(web: PageContext, sent: SentForm): Promise<string> {
  const caller = callerOf(sent);
  const { id = '' } = sent.asked.params;
  const revision_id = textOf(sent, 'take');
  const { body: old } = await web.invoke('readRevision', { caller, params: { id, revision_id } });
  await web.invoke('createRevision', {
    caller,
    params: { id },
    body: { title: old.title, content: old.content, metadata: metadataOf(old) },
    ifMatch: textOf(sent, 'newest'),
    idempotencyKey: `${sent.key}.${revision_id}`,
  });
  return `/write/${id}/history?said=taken#said`;
}

/** Says in words of pages that the named revision is not the newest one. */
function inWords(error: unknown): unknown {
  if (!isProblem(error) || error.problem !== 'precondition-failed') return error;
  const message =
    'The text has changed since you opened this page, so nothing was done. Load the page again to see the newest text.';
  return Object.assign(error, { message });
}

export const takeAgainForm: Form = {
  operation: 'createRevision',
  send: async (web, sent) => {
    try {
      return await takeAgain(web, sent);
    } catch (error) {
      throw inWords(error);
    }
  },
};
