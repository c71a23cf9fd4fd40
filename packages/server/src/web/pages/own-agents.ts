// The agents of the reader, for pages that name them beside something else.
import type { AnswerOf, Operations } from '@colophon/contract';
import type { PageContext } from '../context.ts';

type Agent = AnswerOf<Operations['listAgents']>['body']['items'][number];

/** Returns the newest agents of the caller; none for a session of a link that may not know them. */
export async function ownAgents(
  { invoke, caller }: Pick<PageContext, 'invoke' | 'caller'>,
  limit: number,
): Promise<readonly Agent[]> {
  if (caller === null || !caller.scopes.includes('agents:read')) return [];
  return (await invoke('listAgents', { caller, params: {}, query: { limit } })).body.items;
}
