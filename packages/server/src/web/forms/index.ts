// The forms of each page: the name of a form follows `?form=` in the address that it is sent to.
import { checkAuditForm, grantForm, revokeGrantsForm, trustForm } from './administration.ts';
import { agentForms, createAgentForm } from './agents.ts';
import { appealForm } from './appeal.ts';
import { approveForm } from './approve.ts';
import { closeForm } from './close.ts';
import { commentForm, deleteCommentForm, replyForm } from './comment.ts';
import { deleteExportForm, requestExportForm } from './exports.ts';
import { linkForm, unlinkForm } from './edge.ts';
import { articleFollowing, profileFollowing } from './follow.ts';
import type { Form } from './form.ts';
import { readForm } from './mark-read.ts';
import {
  actOnObjectForm,
  actOnReportForm,
  claimForm,
  enterForm,
  rejectAppealForm,
  rejectReportForm,
  upholdForm,
} from './moderation.ts';
import { ownProfileForm } from './profile.ts';
import { publishForm } from './publish.ts';
import { deleteForm, eraseForm, makePrivateForm } from './remove.ts';
import { reportForm } from './report.ts';
import { takeAgainForm } from './take-again.ts';
import { issueOwnForm, revokeOwnForm } from './tokens.ts';
import { createDraftForm, saveDraftForm } from './write.ts';

export const forms: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  '/@{username}': profileFollowing,
  '/@{username}/{place}': {
    ...articleFollowing,
    comment: commentForm,
    reply: replyForm,
    'delete-comment': deleteCommentForm,
    link: linkForm,
    unlink: unlinkForm,
  },
  '/decisions/{id}': { appeal: appealForm },
  '/moderation': { enter: enterForm, claim: claimForm },
  '/moderation/reports/{id}': {
    claim: claimForm,
    act: actOnReportForm,
    reject: rejectReportForm,
  },
  '/moderation/appeals/{id}': { uphold: upholdForm, reject: rejectAppealForm },
  '/moderation/objects/{type}/{id}': { act: actOnObjectForm },
  '/moderation/audit': { check: checkAuditForm },
  '/moderation/accounts': { trust: trustForm, grant: grantForm, revoke: revokeGrantsForm },
  '/notifications': { read: readForm },
  '/report': { report: reportForm },
  '/review/{id}': { approve: approveForm },
  '/settings': { profile: ownProfileForm },
  '/settings/agents': { create: createAgentForm },
  '/settings/agents/{username}': agentForms,
  '/settings/close': { close: closeForm },
  '/settings/export': { request: requestExportForm, delete: deleteExportForm },
  '/settings/tokens': { issue: issueOwnForm, revoke: revokeOwnForm },
  '/write': { save: createDraftForm },
  '/write/{id}': { save: saveDraftForm },
  '/write/{id}/history': { take: takeAgainForm },
  '/write/{id}/publish': { publish: publishForm },
  '/write/{id}/remove': { private: makePrivateForm, delete: deleteForm, erase: eraseForm },
};
