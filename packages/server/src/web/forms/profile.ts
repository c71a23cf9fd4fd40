// Saves a profile: the person’s own, or that of the person’s agent.
import type { BodyOf, Operations } from '@colophon/contract';
import type { PageContext } from '../context.ts';
import { beforeOf, isTyped } from './before.ts';
import { callerOf, textOf, textOrNull } from './form.ts';
import type { Form, SentForm } from './form.ts';

/** Saves what was changed of name and description of the caller or of an agent of the caller. */
export async function saveProfile(web: PageContext, sent: SentForm, id: string): Promise<void> {
  const typed = (['display_name', 'bio'] as const)
    .filter((name) => isTyped(beforeOf(sent), name, textOf(sent, name)))
    .map((name) => [name, textOrNull(sent, name)]);
  const body = Object.fromEntries(typed) as BodyOf<Operations['updatePrincipal']>;
  await web.invoke('updatePrincipal', { caller: callerOf(sent), params: { id }, body });
}

export const ownProfileForm: Form = {
  operation: 'updatePrincipal',
  send: async (web, sent) => {
    await saveProfile(web, sent, callerOf(sent).id);
    return '/settings?done=profile#done';
  },
};
