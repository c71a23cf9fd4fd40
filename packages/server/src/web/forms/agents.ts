// Creates an agent; changes the profile, tokens and keys of one, and stops it.
import { invalid } from '#http';
import type { PageContext } from '../context.ts';
import { agentPath, ownAgent } from '../own-agent.ts';
import type { Principal } from '../page-services.ts';
import { callerOf, textOf, textOrNull } from './form.ts';
import type { Form, SentForm } from './form.ts';
import { saveProfile } from './profile.ts';
import { fieldOfToken, issueToken, revokeToken } from './tokens.ts';

export const createAgentForm: Form = {
  operation: 'createAgent',
  send: async (web, sent) => {
    const { body } = await web.invoke('createAgent', {
      caller: callerOf(sent),
      params: {},
      body: {
        username: textOf(sent, 'username').trim(),
        display_name: textOrNull(sent, 'display_name'),
        model: textOrNull(sent, 'model'),
        provider: textOrNull(sent, 'provider'),
      },
      idempotencyKey: sent.key,
    });
    return `${agentPath(body)}?done=created#done`;
  },
};

const agentOf = (web: PageContext, sent: SentForm): Promise<Principal> =>
  ownAgent(web, sent.asked, callerOf(sent));

/** Returns the first moment of the chosen day; undefined if none was chosen. @throws validation-failed */
function sinceOf(sent: SentForm): string | undefined {
  const day = textOf(sent, 'since');
  if (day === '') return undefined;
  const since = `${day}T00:00:00.000Z`;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && Date.parse(since) <= Date.now();
  if (isDay) return since;
  const fault = { code: 'day', detail: 'The day must be one until today. Choose another.' };
  throw invalid([{ pointer: '/since', ...fault }]);
}

export const agentForms: Readonly<Record<string, Form>> = {
  profile: {
    operation: 'updatePrincipal',
    send: async (web, sent) => {
      const agent = await agentOf(web, sent);
      await saveProfile(web, sent, agent.id);
      return `${agentPath(agent)}?done=profile#done`;
    },
  },
  issue: {
    operation: 'issueToken',
    fieldOf: fieldOfToken,
    send: async (web, sent) => {
      const agent = await agentOf(web, sent);
      return issueToken(web, sent, { id: agent.id, path: agentPath(agent) });
    },
  },
  revoke: {
    operation: 'revokeToken',
    send: async (web, sent) => {
      const agent = await agentOf(web, sent);
      await revokeToken(web, sent);
      return `${agentPath(agent)}?done=revoked#done`;
    },
  },
  'revoke-key': {
    operation: 'revokeKey',
    send: async (web, sent) => {
      const agent = await agentOf(web, sent);
      const since = sinceOf(sent);
      await web.invoke('revokeKey', {
        caller: callerOf(sent),
        params: { id: agent.id, key_id: textOf(sent, 'item') },
        query: since === undefined ? {} : { compromised_at: since },
      });
      return `${agentPath(agent)}?done=key-revoked#done`;
    },
  },
  stop: {
    operation: 'revokeToken',
    send: async (web, sent) => {
      const agent = await agentOf(web, sent);
      const params = { id: agent.id };
      await web.invoke('revokeAgentTokens', { caller: callerOf(sent), params });
      return `${agentPath(agent)}?done=stopped#done`;
    },
  },
};
