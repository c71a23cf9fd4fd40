// The door of identity: accounts, tokens, and the functions that other areas may call.
import * as implemented from './operations/index.ts';

const all = Object.values(implemented);
const isCeremony = ({ operation }: (typeof all)[number]) => operation.path.startsWith('/-/');

export const operations = all.filter((one) => !isCeremony(one));
export const ceremonies = all.filter(isCeremony);

export { allowancesOf } from './operations/read-quota.ts';
export { subscribers, recurring, recordingClosings } from './subscribers.ts';
export {
  ownRecord,
  authorNamed,
  principalNamed,
  findablePrincipals,
  isFindable,
  listedPrincipals,
} from './service/principals.ts';
export { exportedKeys } from './service/exporting.ts';
export { issueAdminToken } from './service/admin-token.ts';
export type { AdminToken } from './service/admin-token.ts';
export { addScopes, removeScopes } from './service/grants.ts';
export type { Granted } from './service/grants.ts';
export {
  confirmForDesk,
  enterDesk,
  isAdministrator,
  lockScope,
  requireFreshCheck,
  unconfirmedProblem,
} from './service/checks.ts';
export type { DeskEntry } from './service/checks.ts';
export { closeAgain } from './service/closing.ts';
export { changeTrust, setTrust } from './service/trust.ts';
export type { TrustChanged } from './service/trust.ts';
export {
  countClosings,
  countUnrecordedClosings,
  countWorks,
  findKey,
  findPrincipal,
  listAccounts,
  listActiveHolders,
  listAgentUses,
  listGrantedScopes,
  lockKeyForSigning,
  lockModeratedPrincipal,
  lockWithAgents,
  setAllTokensRevoked,
  setModeratedPrincipal,
  setTokensUsed,
} from './queries/index.ts';
export { principalChanged } from './outbox.ts';
export { setSessionsUsed } from './service/sessions.ts';
export { requireShown } from './rules/identity.ts';
