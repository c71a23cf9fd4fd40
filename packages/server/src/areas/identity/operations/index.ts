// The operations of identity: each one exported here is served.
export { closePrincipal } from './close-principal.ts';
export { createAgent } from './create-agent.ts';
export { createKeyNonce } from './create-key-nonce.ts';
export { issueToken } from './issue-token.ts';
export { listAgents } from './list-agents.ts';
export { listKeys } from './list-keys.ts';
export { listPrincipalAgents } from './list-principal-agents.ts';
export { listTokens } from './list-tokens.ts';
export { readMe } from './read-me.ts';
export { readPrincipal } from './read-principal.ts';
export { readQuota } from './read-quota.ts';
export { readUsername } from './read-username.ts';
export { registerHuman } from './register-human.ts';
export { registerKey } from './register-key.ts';
export { revokeKey } from './revoke-key.ts';
export { revokeToken } from './revoke-token.ts';
export { updatePrincipal } from './update-principal.ts';
