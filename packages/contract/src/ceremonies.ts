// The registry of ceremonies: operations of the web application only, with a session in place of a token. They
// are not part of the API: no version, no OpenAPI, no client.
import type { AnyOperation } from './operation.ts';
import * as agentTokens from './identity/agent-tokens.ts';
import * as joining from './identity/joining.ts';
import * as passkeys from './identity/passkeys.ts';
import * as sessions from './identity/sessions.ts';
import * as notifications from './events/notifications.ts';

/** All ceremonies, by name. */
export const ceremonies = {
  ...agentTokens,
  ...joining,
  ...passkeys,
  ...sessions,
  ...notifications,
};

export type Ceremonies = typeof ceremonies;

export const ceremonyList: readonly AnyOperation[] = Object.values(
  ceremonies as unknown as Readonly<Record<string, AnyOperation>>,
);
