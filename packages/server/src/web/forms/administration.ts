// The forms of administrators: trust levels, admin scopes, the check of the audit log.
import type { BodyOf, operations } from '@colophon/contract';
import { invalid, problem } from '#http';
import type { ChainLink } from '../desk-services.ts';
import { callerOf, textOf } from './form.ts';
import type { Form } from './form.ts';

type Scopes = BodyOf<typeof operations.grantScopes>['scopes'];

function back(username: string, done: string): string {
  return `/moderation/accounts?username=${encodeURIComponent(username)}&done=${done}#done`;
}

export const trustForm: Form = {
  operation: 'setTrustLevel',
  send: async (web, sent) => {
    const { caller } = await web.desk.require(callerOf(sent));
    const level = textOf(sent, 'level');
    if (!/^\d$/.test(level))
      throw invalid([{ pointer: '/level', code: 'required', detail: 'Choose a level.' }]);
    const id = textOf(sent, 'item');
    await web.invoke('setTrustLevel', { caller, params: { id }, body: { level: Number(level) } });
    return back(textOf(sent, 'username'), 'trust');
  },
};

export const grantForm: Form = {
  operation: 'grantScopes',
  send: async (web, sent) => {
    const { caller } = await web.desk.require(callerOf(sent));
    await web.invoke('grantScopes', {
      caller,
      params: { id: textOf(sent, 'item') },
      body: {
        token_id: textOf(sent, 'token_id').trim().toUpperCase(),
        // The operation checks the values.
        scopes: sent.fields.getAll('scopes') as Scopes,
      },
    });
    return back(textOf(sent, 'username'), 'granted');
  },
};

export const revokeGrantsForm: Form = {
  operation: 'revokeGrants',
  send: async (web, sent) => {
    const { caller } = await web.desk.require(callerOf(sent));
    await web.invoke('revokeGrants', { caller, params: { id: textOf(sent, 'item') }, query: {} });
    return back(textOf(sent, 'username'), 'revoked');
  },
};

/** Returns the last row of the piece before, as the form carries it: `120000:ab12…`. */
function linkOf(text: string): ChainLink | undefined {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return number === undefined || hash === undefined ? undefined : { number: Number(number), hash };
}

/** Checks a piece of the log; its page shows how far the check has come, and goes on with the next piece. */
export const checkAuditForm: Form = {
  operation: 'listAudit',
  send: async (web, sent) => {
    const { caller, reads } = await web.desk.require(callerOf(sent));
    // The operation refuses who may not read the log.
    await web.invoke('listAudit', { caller, params: {}, query: { limit: 1 } });
    const found = await reads.checkAudit(linkOf(textOf(sent, 'after')));
    if ('reason' in found)
      throw problem(
        'conflict',
        `The audit log is broken at row ${found.brokenAt}. ${found.reason}`,
      );
    if (found.isWhole) return '/moderation/audit?done=whole#done';
    const { number, hash } = found.link;
    const fields = new URLSearchParams({ after: `${number}:${hash}`, last: String(found.last) });
    return { path: '/moderation/audit#check', fields };
  },
};
