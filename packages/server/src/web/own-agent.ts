// Finds the agent that a page of settings is about, which must be one of the caller's.
import type { Caller } from '#http';
import { problem } from '#http';
import type { PageContext, PageRequest } from './context.ts';
import type { Principal } from './page-services.ts';

/** Returns an agent of the caller by its name. @throws not-found: also for agents of others */
export async function ownAgent(
  { invoke }: PageContext,
  { params: { username = '' } }: PageRequest,
  caller: Caller,
): Promise<Principal> {
  const { body } = await invoke('readUsername', { caller, params: { username } });
  if (body.owner_principal_id !== caller.id)
    throw problem('not-found', 'You have no agent with this name.');
  return body;
}

export function agentPath({ username }: Pick<Principal, 'username'>): string {
  return `/settings/agents/${username}`;
}
