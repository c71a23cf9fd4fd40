// Closes the account, once, and says so also to somebody who sent the form twice.
import { treatments } from '@colophon/contract';
import type { Treatment } from '@colophon/contract';
import { invalid, isProblem, problem } from '#http';
import type { Fault } from '#http';
import type { PageContext } from '../context.ts';
import { textOf, textOrNull } from './form.ts';
import type { Form, SentForm } from './form.ts';

const goodbye = '/closed';

interface Input {
  readonly confirm: 'close';
  readonly articles: Treatment;
  readonly reason: string | null;
}

/** @throws validation-failed */
function inputOf(sent: SentForm): Input {
  const articles = treatments.find((one) => one === textOf(sent, 'articles'));
  const faults: Fault[] = [];
  if (articles === undefined)
    faults.push({ pointer: '/articles', code: 'required', detail: 'needs a choice.' });
  if (textOf(sent, 'confirm').trim() !== 'close')
    faults.push({ pointer: '/confirm', code: 'close', detail: 'must be the word “close”.' });
  if (articles === undefined || faults.length > 0) throw invalid(faults);
  return { confirm: 'close', articles, reason: textOrNull(sent, 'reason') };
}

/** Whether the account that the form is about is closed, which everybody can see. */
async function isClosed({ invoke }: PageContext, sent: SentForm): Promise<boolean> {
  try {
    const params = { id: textOf(sent, 'item') };
    const { body } = await invoke('readPrincipal', { caller: null, params });
    return body.status === 'closed';
  } catch (error) {
    if (!isProblem(error)) throw error;
    return error.problem === 'gone';
  }
}

/** Answers without a session: the form has closed the account before, or the session has ended. */
async function withoutSession(web: PageContext, sent: SentForm): Promise<string> {
  if (await isClosed(web, sent)) return goodbye;
  throw problem('unauthenticated', 'You are not signed in, or your session has ended. Sign in.');
}

export const closeForm: Form = {
  operation: 'closePrincipal',
  isOpen: true,
  send: async (web, sent) => {
    const { caller, key } = sent;
    if (caller === null) return withoutSession(web, sent);
    const body = inputOf(sent);
    const params = { id: caller.id };
    try {
      await web.invoke('closePrincipal', { caller, params, body, idempotencyKey: key });
      return goodbye;
    } catch (error) {
      if (!isProblem(error) || error.problem !== 'unauthenticated') throw error;
      return withoutSession(web, sent);
    }
  },
};
