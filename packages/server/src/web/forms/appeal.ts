// The author, or the owner of an agent, appeals an action.
import { callerOf, textOf } from './form.ts';
import type { Form } from './form.ts';

export const appealForm: Form = {
  operation: 'createAppeal',
  send: async (web, sent) => {
    const { id = '' } = sent.asked.params;
    await web.invoke('createAppeal', {
      caller: callerOf(sent),
      params: { id },
      body: { text: textOf(sent, 'text').trim() },
      idempotencyKey: sent.key,
    });
    return `/decisions/${id}?done=appealed#done`;
  },
};
