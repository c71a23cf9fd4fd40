// The forms of the moderation desk: opening it, claiming and closing reports, acting, deciding appeals.
import type { BodyOf, operations } from '@colophon/contract';
import { invalid, isProblem } from '#http';
import type { Caller } from '#http';
import type { PageContext } from '../context.ts';
import type { Desk } from '../desk-services.ts';
import { upholdsByRestoring } from '../moderation-records.ts';
import type { AppealDetail } from '../moderation-records.ts';
import { localPath } from '../next-path.ts';
import { filtersOf, queryOf } from '../pages/moderation.ts';
import { nextPath } from '../pages/moderation-report.ts';
import { withQuery } from '../site.ts';
import { callerOf, textOf, textOrNull } from './form.ts';
import type { Drafted } from './draft.ts';
import type { Form, SentForm } from './form.ts';

type Action = BodyOf<typeof operations.createModerationAction>;

/** Opens the desk for a form. @throws forbidden, insufficient-scope */
function deskFor(web: PageContext, sent: SentForm): Promise<Desk> {
  return web.desk.require(callerOf(sent));
}

/** Opens the desk: the script of the page confirms with a passkey where that is needed. */
export const enterForm: Form = {
  operation: 'beginCheck',
  send: async (web, sent) => {
    await web.desk.confirm(callerOf(sent));
    return localPath(web.site, textOf(sent, 'to')) ?? '/moderation';
  },
};

export const claimForm: Form = {
  operation: 'reviewReport',
  send: async (web, sent) => {
    const { caller } = await deskFor(web, sent);
    const id = textOf(sent, 'item');
    await web.invoke('reviewReport', { caller, params: { id }, body: { status: 'reviewing' } });
    const query = { ...queryOf(filtersOf(sent.asked)), done: 'claimed' };
    return `${withQuery(`/moderation/reports/${id}`, query)}#done`;
  },
};

export const rejectReportForm: Form = {
  operation: 'reviewReport',
  send: async (web, sent) => {
    const desk = await deskFor(web, sent);
    const { id = '' } = sent.asked.params;
    const resolution = textOrNull(sent, 'resolution');
    const body = { status: 'rejected' as const, resolution };
    await web.invoke('reviewReport', { caller: desk.caller, params: { id }, body });
    return nextPath(desk, filtersOf(sent.asked), id, 'rejected');
  },
};

/** Returns the action that a form asks for. The operation checks every value. */
function actionOf(sent: SentForm): Action {
  const report = textOrNull(sent, 'report_id');
  return {
    target_type: textOf(sent, 'target_type') as Action['target_type'],
    target_id: textOf(sent, 'target_id'),
    action: textOf(sent, 'moderation_action') as Action['action'],
    reason_code: textOf(sent, 'reason_code') as Action['reason_code'],
    reason_text: textOrNull(sent, 'reason_text'),
    source: textOf(sent, 'source') as Action['source'],
    report_id: report,
    ...(report === null ? {} : { all_reports: textOf(sent, 'all_reports') === 'true' }),
  };
}

/** Says what was not chosen, before the operation says that '' is not a value. @throws validation-failed */
function requireChoices(sent: SentForm): void {
  const faults = [
    ['moderation_action', '/action', 'Choose what is done.'],
    ['reason_code', '/reason_code', 'Choose a reason.'],
  ].flatMap(([name = '', pointer = '', detail = '']) =>
    textOf(sent, name) === '' ? [{ pointer, code: 'required', detail }] : [],
  );
  if (faults.length > 0) throw invalid(faults);
}

/** Carries the action out; only looks at it where the form asks for a preview. */
async function act(web: PageContext, sent: SentForm, path: string): Promise<Desk | Drafted> {
  const desk = await deskFor(web, sent);
  requireChoices(sent);
  if (textOf(sent, 'step') === 'preview') return { path: `${path}#preview` };
  await web.invoke('createModerationAction', {
    caller: desk.caller,
    params: {},
    body: actionOf(sent),
    idempotencyKey: sent.key,
  });
  return desk;
}

const fieldOf = { '/action': 'moderation_action' } as const;

export const actOnReportForm: Form = {
  operation: 'createModerationAction',
  fieldOf,
  send: async (web, sent) => {
    const query = queryOf(filtersOf(sent.asked));
    const path = withQuery(`/moderation/reports/${sent.asked.params['id']}`, query);
    const desk = await act(web, sent, path);
    if ('path' in desk) return desk;
    const done = textOf(sent, 'all_reports') === 'true' ? 'acted-all' : 'acted-one';
    return nextPath(desk, filtersOf(sent.asked), sent.asked.params['id'], done);
  },
};

export const actOnObjectForm: Form = {
  operation: 'createModerationAction',
  fieldOf,
  send: async (web, sent) => {
    const { type = '', id = '' } = sent.asked.params;
    const path = `/moderation/objects/${type}/${id}`;
    const done = await act(web, sent, path);
    return 'path' in done ? done : `${path}?done=acted#done`;
  },
};

/** Restores the object of an appeal. Returns whether that changed it; if not, a review upholds the appeal. */
async function restoreFor(
  web: PageContext,
  sent: SentForm,
  { caller, appeal, text }: { caller: Caller; appeal: AppealDetail; text: string | null },
): Promise<boolean> {
  const { target_type, target_id } = appeal;
  try {
    await web.invoke('createModerationAction', {
      caller,
      params: {},
      body: {
        target_type,
        target_id,
        action: 'restore',
        reason_code: 'appeal_upheld',
        reason_text: text,
        source: 'appeal',
        // It may be decided between the page's read and this: others on the object do not justify it then.
        appeal_id: appeal.id,
      },
      idempotencyKey: sent.key,
    });
    return true;
  } catch (error) {
    if (isProblem(error) && error.problem === 'conflict') return false;
    throw error;
  }
}

export const upholdForm: Form = {
  operation: 'createModerationAction',
  fieldOf: { '/reason_text': 'uphold_text' },
  send: async (web, sent) => {
    const { caller } = await deskFor(web, sent);
    const { id = '' } = sent.asked.params;
    const { body: appeal } = await web.invoke('readAppeal', { caller, params: { id } });
    const text = textOrNull(sent, 'uphold_text');
    const restored =
      appeal.status === 'open' && upholdsByRestoring(appeal)
        ? await restoreFor(web, sent, { caller, appeal, text })
        : false;
    if (!restored) {
      const body = { status: 'upheld' as const, resolution: text };
      await web.invoke('reviewAppeal', { caller, params: { id }, body });
    }
    return '/moderation/appeals?done=upheld#done';
  },
};

export const rejectAppealForm: Form = {
  operation: 'reviewAppeal',
  send: async (web, sent) => {
    const { caller } = await deskFor(web, sent);
    const { id = '' } = sent.asked.params;
    const resolution = textOrNull(sent, 'resolution');
    const body = { status: 'rejected' as const, resolution };
    await web.invoke('reviewAppeal', { caller, params: { id }, body });
    return '/moderation/appeals?done=appeal-rejected#done';
  },
};
