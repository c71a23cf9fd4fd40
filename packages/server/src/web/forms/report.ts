// Reports something to the moderators, with or without an account.
import type { ReportCategory } from '@colophon/contract';
import { reportPath, targetOf } from '../pages/report.ts';
import { textOf, textOrNull } from './form.ts';
import type { Form } from './form.ts';

export const reportForm: Form = {
  operation: 'createReport',
  isOpen: true,
  fieldOf: { '/reporter_contact': 'contact' },
  send: async (web, sent) => {
    const target = targetOf(sent.asked);
    await web.invoke('createReport', {
      caller: sent.caller,
      params: {},
      body: {
        target_type: target.type,
        target_id: target.id,
        // The operation checks the value.
        category: textOf(sent, 'category') as ReportCategory,
        details: textOrNull(sent, 'details'),
        reporter_contact: textOrNull(sent, 'contact'),
      },
      idempotencyKey: sent.key,
    });
    return `${reportPath(target)}&sent=1#sent`;
  },
};
