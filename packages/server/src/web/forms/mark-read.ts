// Marks notifications as read, up to the newest one that the page showed.
import type { Form } from './form.ts';
import { callerOf, textOf } from './form.ts';

export const readForm: Form = {
  operation: 'markEventsRead',
  send: async ({ invoke }, sent) => {
    const body = { event_id: textOf(sent, 'event_id') };
    await invoke('markEventsRead', { caller: callerOf(sent), params: {}, body });
    return '/notifications#notifications';
  },
};
