// readKeyHistory: the keys of an agent, to be kept and trusted when its proofs are verified later.
import type { Client } from './client-type.ts';
import type { KeyHistory } from './proof-trust.ts';

/**
 * All signing keys of an agent, revoked ones too, with the address of the service that answered. Fetch it
 * from the service itself and keep it: `verifyProof` takes it as `trusted`. A key that is revoked later is
 * seen by a history that is fetched later.
 *
 * @example
 * const trusted = await readKeyHistory(client, { id: article.author.id });
 * const verdict = await verifyProof(proof, { text: article, trusted });
 */
export async function readKeyHistory(
  client: Client,
  { id }: { readonly id: string },
): Promise<KeyHistory> {
  const { base_url } = await client.readMeta();
  const keys = [];
  for await (const key of client.each.listKeys({ id, limit: 100 })) keys.push(key);
  return { baseUrl: base_url, keys };
}
