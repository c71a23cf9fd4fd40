// Passkeys (WebAuthn Level 3): how many an account may have, options for the browser, and the verification of a
// new one.
import { sessionLimits } from '@colophon/contract';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Config } from '#config';
import type { Db, Tx } from '#database';
import { invalid, problem } from '#http';
import type { Problem } from '#http';
import { isId, keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { deleteCeremony, findCeremony, insertCeremony } from '../queries/index.ts';
import type { CeremonyKind, CeremonyRow, OwnCredential } from '../queries/index.ts';
import { ceremonyEnd } from '../rules/sessions.ts';

/**
 * Loaded on first use: it takes several megabytes. Ceremonies that verify while a transaction is open load it
 * before.
 */
export const library = () => import('@simplewebauthn/server');

export type Site = Pick<Config, 'baseUrl'>;

/** EdDSA, ES256, RS256 (COSE): every authenticator has one of them. */
const algorithms = [-8, -7, -257];
const timeout = sessionLimits.ceremony_minutes * 60_000;
export const hostOf = ({ baseUrl }: Site) => new URL(baseUrl).hostname;
export const originOf = ({ baseUrl }: Site) => new URL(baseUrl).origin;

const base64url = (bytes: Buffer) => bytes.toString('base64url');

export interface Account {
  readonly id: string;
  readonly username: string;
  readonly displayName: string | null;
}

/**
 * Returns the options for a new passkey of an account (section 5.4). It is discoverable, so that signing in
 * needs no name, and is not made twice on a device that has one of `known`.
 */
export async function creationOptions(
  site: Site,
  { id, username, displayName }: Account,
  known: readonly OwnCredential[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Colophon',
    rpID: hostOf(site),
    userName: username,
    userDisplayName: displayName ?? username,
    userID: new Uint8Array(Buffer.from(id)),
    timeout,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credential_id, transports }) => ({
      id: base64url(credential_id),
      transports: [...transports],
    })),
  });
}

/** Returns the options for using a passkey (section 5.5): any of this site, or one of `known`. */
export async function requestOptions(site: Site, known: readonly OwnCredential[] = []) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: hostOf(site),
    timeout,
    userVerification: 'required',
    allowCredentials: known.map(({ credential_id, transports }) => ({
      id: base64url(credential_id),
      transports: [...transports],
    })),
  });
}

/** Stores a challenge under the ceremony that it belongs to. Returns what the browser gets. */
export function beginCeremony<O extends { readonly challenge: string }>(
  tx: Tx,
  ceremony: RowKey & { readonly kind: CeremonyKind } & Partial<CeremonyRow>,
  options: O,
  now: Date,
): { readonly ceremony_id: string; readonly options: O } {
  const { principal_id = null, username = null, display_name = null, bucket, id, kind } = ceremony;
  const row = { bucket, id, kind, challenge: options.challenge, principal_id, username };
  void insertCeremony(tx, { ...row, display_name }, ceremonyEnd(now));
  return { ceremony_id: id, options };
}

const again = 'Begin again: reload the page.';

export function endedProblem(): Problem {
  return invalid([
    {
      pointer: '/ceremony_id',
      code: 'ended',
      detail: `was used already, or began more than ${sessionLimits.ceremony_minutes} minutes ago. ${again}`,
    },
  ]);
}

/** Returns a ceremony that is still open. @throws validation-failed */
export async function requireCeremony(
  db: Db,
  id: string,
  kind: CeremonyKind,
  now: Date,
): Promise<CeremonyRow> {
  const row = isId(id) ? await findCeremony(db, keyOf(id), kind, now) : undefined;
  if (row === undefined) throw endedProblem();
  return row;
}

/** Ends a ceremony for good: of two requests with one answer, one is refused. @throws validation-failed */
export async function endCeremony(tx: Tx, id: string): Promise<void> {
  if ((await deleteCeremony(tx, keyOf(id))) === 0) throw endedProblem();
}

export function refusedProblem(cause: unknown): Problem {
  return Object.assign(
    invalid([
      {
        pointer: '/credential',
        code: 'passkey',
        detail: `is not what this site asked this browser for. ${again}`,
      },
    ]),
    { cause },
  );
}

/** A page of another site must not have framed the ceremony (section 7.1, step 10, and 7.2, step 13). */
export async function requireSameOrigin(
  credential: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  const { response } = credential as { readonly response: { readonly clientDataJSON: string } };
  const { crossOrigin } = decodeClientDataJSON(response.clientDataJSON);
  if (crossOrigin === true) throw new Error('the ceremony ran in a frame of another site');
}

/**
 * Accepts no attestation but that of the passkey itself. The options ask for none, and the library would
 * fetch addresses that a certificate of the client names: for android-key it even trusts the client’s own root.
 */
async function requireNoCertificates(credential: Readonly<Record<string, unknown>>): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const { response } = credential as { readonly response: { readonly attestationObject: string } };
  const bytes = new Uint8Array(Buffer.from(response.attestationObject, 'base64url'));
  const attestation = decodeAttestationObject(bytes);
  const format = attestation.get('fmt');
  const isOwn = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isOwn) throw new Error('an attestation that was not asked for');
}

/** Section 7.1, step 25. */
const credentialIdMax = 1_023;

export interface VerifiedPasskey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
}

const transportPattern = /^[a-z-]{1,20}$/;

/** Verifies the registration of a passkey (section 7.1). @throws validation-failed */
export async function verifyCreation(
  site: Site,
  { challenge }: Pick<CeremonyRow, 'challenge'>,
  credential: Readonly<Record<string, unknown>>,
): Promise<VerifiedPasskey> {
  const { verifyRegistrationResponse } = await library();
  try {
    await requireNoCertificates(credential);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: credential as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: originOf(site),
      expectedRPID: hostOf(site),
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) throw new Error('not verified');
    await requireSameOrigin(credential);
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const credentialId = Buffer.from(id, 'base64url');
    if (
      credentialId.length === 0 ||
      credentialId.length > credentialIdMax ||
      id !== credential['id']
    )
      throw new Error('an id of the passkey that is too long, empty or another');
    return {
      credentialId,
      publicKey: Buffer.from(publicKey),
      signCount: counter,
      transports: transports
        .filter((one: unknown) => typeof one === 'string' && transportPattern.test(one))
        .slice(0, 10),
      backedUp: registrationInfo.credentialBackedUp,
    };
  } catch (error) {
    throw refusedProblem(error);
  }
}

/** @throws conflict */
export function requirePasskeyRoom(passkeys: number): void {
  if (passkeys < sessionLimits.passkeys_max) return;
  throw problem(
    'conflict',
    `An account has at most ${sessionLimits.passkeys_max} passkeys. Remove one that you no longer use.`,
  );
}

export function unknownOwnPasskey() {
  return problem('not-found', 'You have no passkey with this id.');
}
