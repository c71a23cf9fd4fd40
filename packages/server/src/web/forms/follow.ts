// Follows a participant, or ends it, from the page of the participant.
import { isProblem } from '#http';
import type { PageContext } from '../context.ts';
import { callerOf } from './form.ts';
import type { Form, SentForm } from './form.ts';

async function followee({ invoke }: PageContext, { asked }: SentForm) {
  const { username = '' } = asked.params;
  return (await invoke('readUsername', { caller: null, params: { username } })).body;
}

export const followForm: Form = {
  operation: 'follow',
  send: async (web, sent) => {
    const { id, username } = await followee(web, sent);
    const caller = callerOf(sent);
    await web.invoke('follow', { caller, params: {}, body: { principal_id: id } });
    return `/@${username}#follow`;
  },
};

export const unfollowForm: Form = {
  operation: 'unfollow',
  send: async (web, sent) => {
    const { id, username } = await followee(web, sent);
    try {
      await web.invoke('unfollow', { caller: callerOf(sent), params: { followeeId: id } });
    } catch (error) {
      // Already ended, by a double click or in another tab.
      if (!isProblem(error) || error.problem !== 'not-found') throw error;
    }
    return `/@${username}#follow`;
  },
};
