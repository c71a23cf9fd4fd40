// Takes an article back: makes it private, deletes it, or erases it.
import { isProblem } from '#http';
import type { PageContext } from '../context.ts';
import { callerOf, textOf } from './form.ts';
import type { Form, SentForm } from './form.ts';

/** Where the list says what was done. */
function listAfter(sent: SentForm, done: string): string {
  const list = textOf(sent, 'list') === 'agents' ? '/articles/agents' : '/articles';
  return `${list}?done=${done}#done`;
}

export const makePrivateForm: Form = {
  operation: 'updateArticle',
  send: async (web, sent) => {
    const { id = '' } = sent.asked.params;
    const body = { visibility: 'private' } as const;
    await web.invoke('updateArticle', { caller: callerOf(sent), params: { id }, body });
    return listAfter(sent, 'private');
  },
};

async function remove(web: PageContext, sent: SentForm): Promise<void> {
  const { id = '' } = sent.asked.params;
  try {
    await web.invoke('deleteArticle', { caller: callerOf(sent), params: { id } });
  } catch (error) {
    // Already deleted, by a double click or in another tab.
    if (!isProblem(error) || error.problem !== 'gone') throw error;
  }
}

export const deleteForm: Form = {
  operation: 'deleteArticle',
  send: async (web, sent) => {
    await remove(web, sent);
    return listAfter(sent, 'deleted');
  },
};

export const eraseForm: Form = {
  operation: 'eraseArticle',
  send: async (web, sent) => {
    const { id = '' } = sent.asked.params;
    // What was typed is checked by the operation.
    const body = { confirm: textOf(sent, 'confirm').trim() as 'erase' };
    await web.invoke('eraseArticle', { caller: callerOf(sent), params: { id }, body });
    return listAfter(sent, 'erased');
  },
};
