// readKeyHistory: the keys of an agent, to be stored and trusted when its proofs are verified.
import { requireClient, requireObject, requireText } from './check-input.ts';
import type { Client } from './client-type.ts';
import type { KeyHistory } from './trusted.ts';

/**
 * Returns all signing keys of an agent, including revoked ones, with the URL of the service that returned
 * them. Fetch it from the service itself and store it: `verifyProof` takes it as `trusted`. Only a history
 * that is fetched after a revocation shows it.
 *
 * @example
 * const trusted = await readKeyHistory(client, { id: article.author.id });
 * const verdict = await verifyProof(proof, { text: article, trusted });
 */
export async function readKeyHistory(
  client: Client,
  agent: { readonly id: string },
): Promise<KeyHistory> {
  requireClient(client, 'readKeyHistory');
  const wanted = 'readKeyHistory requires one object with the id of the agent, such as { id }.';
  requireText(requireObject(agent, wanted), 'id', 'readKeyHistory');
  const { id } = agent;
  const { base_url } = await client.readMeta();
  const keys = [];
  for await (const key of client.each.listKeys({ id, limit: 100 })) keys.push(key);
  return { baseUrl: base_url, keys };
}
