// Requests and deletes archives of the person's own works and of those of the person's agents.
import { isProblem } from '#http';
import { callerOf, textOf } from './form.ts';
import type { Form } from './form.ts';

const path = '/settings/export';

export const requestExportForm: Form = {
  operation: 'createExport',
  send: async (web, sent) => {
    const principal = textOf(sent, 'principal_id');
    await web.invoke('createExport', {
      caller: callerOf(sent),
      params: {},
      body: principal === '' ? {} : { principal_id: principal },
      idempotencyKey: sent.key,
    });
    return `${path}?done=requested#done`;
  },
};

export const deleteExportForm: Form = {
  operation: 'deleteExport',
  send: async (web, sent) => {
    try {
      const params = { id: textOf(sent, 'item') };
      await web.invoke('deleteExport', { caller: callerOf(sent), params });
    } catch (error) {
      // Already deleted, by a double click or in another tab.
      if (!isProblem(error) || error.problem !== 'not-found') throw error;
    }
    return `${path}?done=deleted#done`;
  },
};
