// Takes an article back: makes it private, deletes it, or erases it.
import { invalid, isProblem } from '#http';
import type { Caller } from '#http';
import type { PageContext } from '../context.ts';
import { findOwn } from '../pages/own-article.ts';
import { callerOf, textOf, textOrNull } from './form.ts';
import type { Form, SentForm } from './form.ts';

interface Named {
  readonly caller: Caller;
  readonly params: { readonly id: string };
}

/**
 * Names an article of the caller or of the caller's agent. One that is removed passes: the operation knows
 * whose it is.
 * @throws not-found: also for an article of somebody else, which may be public
 */
async function findNamed(web: PageContext, sent: SentForm): Promise<Named> {
  const caller = callerOf(sent);
  const { id = '' } = sent.asked.params;
  try {
    await findOwn(web, caller, id);
  } catch (error) {
    if (!isProblem(error) || error.problem !== 'gone') throw error;
  }
  return { caller, params: { id } };
}

/** Where the list says what was done. */
function listAfter(sent: SentForm, done: string): string {
  const list = textOf(sent, 'list') === 'agents' ? '/articles/agents' : '/articles';
  return `${list}?done=${done}#done`;
}

export const makePrivateForm: Form = {
  operation: 'updateArticle',
  send: async (web, sent) => {
    const own = await findNamed(web, sent);
    await web.invoke('updateArticle', { ...own, body: { visibility: 'private' } });
    return listAfter(sent, 'private');
  },
};

export const deleteForm: Form = {
  operation: 'deleteArticle',
  send: async (web, sent) => {
    const own = await findNamed(web, sent);
    try {
      await web.invoke('deleteArticle', own);
    } catch (error) {
      // Already deleted, by a double click or in another tab.
      if (!isProblem(error) || error.problem !== 'gone') throw error;
    }
    return listAfter(sent, 'deleted');
  },
};

export const eraseForm: Form = {
  operation: 'eraseArticle',
  send: async (web, sent) => {
    const own = await findNamed(web, sent);
    const confirm = textOf(sent, 'confirm').trim();
    const body = { confirm: confirm as 'erase', reason: textOrNull(sent, 'reason') };
    try {
      await web.invoke('eraseArticle', { ...own, body });
    } catch (error) {
      if (confirm === 'erase' || !isProblem(error) || error.problem !== 'validation-failed')
        throw error;
      // The operation speaks of a list with one value.
      throw invalid([{ pointer: '/confirm', code: 'erase', detail: 'must be the word “erase”.' }]);
    }
    return listAfter(sent, 'erased');
  },
};
