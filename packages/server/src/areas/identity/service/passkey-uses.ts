// The use of a passkey, to sign in or to confirm that its owner is present (WebAuthn Level 3, section 7.2).
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Tx } from '#database';
import { problem } from '#http';
import type { Problem } from '#http';
import { isId, keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import {
  countPasskeys,
  lockPasskey,
  setPasskeyUsed,
  deleteBegunCeremony,
} from '../queries/index.ts';
import type { CeremonyRow, KnownPasskey } from '../queries/index.ts';
import {
  endedProblem,
  hostOf,
  library,
  originOf,
  refusedProblem,
  requireSameOrigin,
} from './passkeys.ts';
import type { Site } from './passkeys.ts';

function unknownPasskey(): Problem {
  return problem(
    'unauthenticated',
    'This passkey belongs to no account here. Use another one, or a recovery code.',
  );
}

type Credential = Readonly<Record<string, unknown>>;

/** Returns whose passkey an assertion claims to be: the handle is the id of the account. @throws unauthenticated */
export function claimedOwner(credential: Credential): RowKey {
  const { response } = credential as { readonly response?: { readonly userHandle?: unknown } };
  const handle = response?.userHandle;
  const owner = typeof handle === 'string' ? Buffer.from(handle, 'base64url').toString() : '';
  if (!isId(owner)) throw unknownPasskey();
  return keyOf(owner);
}

function credentialIdOf({ id }: Credential): Buffer {
  return Buffer.from(typeof id === 'string' ? id : '', 'base64url');
}

/** Verifies the use of a passkey (section 7.2). @throws validation-failed */
async function verifyUse(
  site: Site,
  { challenge }: Pick<CeremonyRow, 'challenge'>,
  credential: Credential,
  known: KnownPasskey,
): Promise<{ readonly signCount: number; readonly backedUp: boolean }> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: originOf(site),
      expectedRPID: hostOf(site),
      requireUserVerification: true,
      credential: {
        id: String(credential['id']),
        publicKey: new Uint8Array(known.public_key),
        counter: known.sign_count,
      },
    });
    if (!verified) throw new Error('not verified');
    await requireSameOrigin(credential);
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { signCount: newCounter, backedUp: credentialBackedUp };
  } catch (error) {
    throw refusedProblem(error);
  }
}

interface Use {
  readonly ceremony_id: string;
  readonly credential: Credential;
}

/**
 * Ends a ceremony with the use of a passkey of an account: a check must have been begun by the account itself.
 * Ceremony, account and passkey are read and locked in one round trip; the passkey is verified under these
 * locks, so that everything after it is sent with the commit. Of two requests with one answer, one is refused.
 * A refusal leaves the ceremony open.
 * @throws unauthenticated, validation-failed
 */
export async function acceptUse(
  tx: Tx,
  site: Site,
  { ceremony_id, credential }: Use,
  { account, kind, now }: { account: RowKey; kind: 'sign-in' | 'check'; now: Date },
): Promise<{ readonly username: string; readonly passkeys: number }> {
  if (!isId(ceremony_id)) throw endedProblem();
  const begun = { ...keyOf(ceremony_id), kind, principalId: kind === 'check' ? account.id : null };
  const [ceremony, known, passkeys] = await Promise.all([
    deleteBegunCeremony(tx, begun, now),
    lockPasskey(tx, account, credentialIdOf(credential)),
    countPasskeys(tx, account),
  ]);
  if (ceremony === undefined) throw endedProblem();
  if (known === undefined) throw unknownPasskey();
  const { id, username } = known;
  const use = await verifyUse(site, ceremony, credential, known);
  void setPasskeyUsed(tx, { bucket: account.bucket, id }, { ...use, now });
  return { username, passkeys };
}
