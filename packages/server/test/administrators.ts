// People with admin scopes, as the operator's grant makes them.
import type { Scope } from '@colophon/contract';
import { storeToken } from './accounts.ts';
import type { Human, TestServer } from './harness.ts';

/** A person with a token of just these scopes. */
export async function administrator(
  server: TestServer,
  scopes: readonly Scope[] = ['admin:manage'],
): Promise<Human> {
  const human = await server.register();
  return { ...human, token: await storeToken(server, human.id, scopes) };
}
