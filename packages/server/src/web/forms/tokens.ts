// Issues and revokes tokens: the person’s own, and those of the person’s agents.
import { scopes } from '@colophon/contract';
import { invalid } from '#http';
import type { PageContext } from '../context.ts';
import { callerOf, textOf } from './form.ts';
import type { Form, SentForm } from './form.ts';
import type { Issued } from './issued.ts';

/** Returns the end of the token: the last moment of a day, in UTC. @throws validation-failed */
function endOf(sent: SentForm): string | null {
  const chosen = textOf(sent, 'expires');
  if (chosen === 'never') return null;
  const day = chosen === 'date' ? textOf(sent, 'until') : chosen;
  const end = `${day}T23:59:59.999Z`;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(end));
  if (isDay && Date.parse(end) > Date.now()) return end;
  const fault = isDay
    ? { code: 'past', detail: 'is in the past: choose a later day.' }
    : { code: 'required', detail: 'needs a last day: choose a date, or another end.' };
  throw invalid([{ pointer: '/expires_at', ...fault }]);
}

/** Issues a token for the caller or an agent of the caller. Only the answer contains it. */
export async function issueToken(
  web: PageContext,
  sent: SentForm,
  to: { readonly id: string; readonly path: string },
): Promise<Issued> {
  const asked = sent.fields.getAll('scopes');
  const { body } = await web.invoke('issueToken', {
    caller: callerOf(sent),
    params: {},
    body: {
      principal_id: to.id,
      name: textOf(sent, 'name').trim(),
      scopes: scopes.filter((scope) => asked.includes(scope)),
      expires_at: endOf(sent),
    },
    idempotencyKey: sent.key,
  });
  return {
    path: `${to.path}#issued`,
    name: body.name,
    secret: body.token,
    hasNoScopes: body.scopes.length === 0,
  };
}

/** Revokes the token that the form is about, and those issued with it if that was chosen. */
export async function revokeToken(web: PageContext, sent: SentForm): Promise<void> {
  await web.invoke('revokeToken', {
    caller: callerOf(sent),
    params: { id: textOf(sent, 'item') },
    query: { with_issued: textOf(sent, 'with_issued') === 'true' },
  });
}

export const fieldOfToken = { '/expires_at': 'expires' } as const;

export const issueOwnForm: Form = {
  operation: 'issueToken',
  fieldOf: fieldOfToken,
  // The operation checks whether the account is the caller’s own, or an agent of the caller.
  send: (web, sent) => {
    const id = textOf(sent, 'principal_id') || callerOf(sent).id;
    return issueToken(web, sent, { id, path: '/settings/tokens' });
  },
};

export const revokeOwnForm: Form = {
  operation: 'revokeToken',
  send: async (web, sent) => {
    await revokeToken(web, sent);
    return '/settings/tokens?done=revoked#done';
  },
};
