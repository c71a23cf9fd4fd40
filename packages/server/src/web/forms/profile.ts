// Saves a profile: the person’s own, or that of the person’s agent.
import type { PageContext } from '../context.ts';
import { callerOf, textOrNull } from './form.ts';
import type { Form, SentForm } from './form.ts';

/** Saves name and description of the caller or of an agent of the caller. */
export async function saveProfile(web: PageContext, sent: SentForm, id: string): Promise<void> {
  const body = { display_name: textOrNull(sent, 'display_name'), bio: textOrNull(sent, 'bio') };
  await web.invoke('updatePrincipal', { caller: callerOf(sent), params: { id }, body });
}

export const ownProfileForm: Form = {
  operation: 'updatePrincipal',
  send: async (web, sent) => {
    await saveProfile(web, sent, callerOf(sent).id);
    return '/settings?done=profile#done';
  },
};
