// A passkey in software (WebAuthn Level 3), which tests can also make misbehave.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { encodeCBOR } from '@levischuck/tiny-cbor';

type Statement = Map<string, string | number | Uint8Array | Uint8Array[]>;

/** What an attestation signs, the first two in this order, and for which key. */
export interface Signed {
  readonly authData: Uint8Array;
  readonly clientDataHash: Uint8Array;
  /** Of the passkey. */
  readonly publicKey: KeyObject;
}

export interface Attestation {
  readonly format: string;
  readonly statement: Statement;
}

/** How an answer departs from that of an honest authenticator in an honest browser. */
export interface Departure {
  readonly origin?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly host?: string;
  /** Instead of a counter that grows. */
  readonly counter?: number;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  readonly userHandle?: string;
  readonly signedBy?: KeyObject;
  /** Of the attestation; `x5c` is added to any but none. */
  readonly format?: string;
  /** Makes the attestation, in place of none. */
  readonly attest?: (signed: Signed) => Attestation;
  readonly transports?: unknown;
  readonly idBytes?: number;
}

export interface Authenticator {
  readonly id: string;
  /** Answers `navigator.credentials.create`. */
  create(options: Options, departure?: Departure): Record<string, unknown>;
  /** Answers `navigator.credentials.get`. */
  get(options: Options, departure?: Departure): Record<string, unknown>;
  /** The passkey as `WebAuthn.addCredential` of the DevTools protocol takes it, for a real browser. */
  toDevTools(): DevToolsCredential;
}

export interface DevToolsCredential {
  readonly credentialId: string;
  readonly isResidentCredential: true;
  readonly rpId: string;
  readonly privateKey: string;
  readonly userHandle: string;
  readonly signCount: number;
}

/** The members of both kinds of options that matter here. */
export interface Options {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

const base64url = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();

function coseOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ]);
  return Buffer.from(encodeCBOR(key));
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function attestationOf({ attest, format }: Departure, signed: Signed): Attestation {
  if (attest !== undefined) return attest(signed);
  if (format === undefined) return { format: 'none', statement: new Map() };
  const bytes = new Uint8Array(randomBytes(64));
  const statement: Statement = new Map();
  return { format, statement: statement.set('alg', -7).set('sig', bytes).set('x5c', [bytes]) };
}

const bytesOf = (base64: string) => Buffer.from(base64, 'base64');

function privateKeyOf(known: DevToolsCredential | undefined): KeyObject {
  if (known === undefined) return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  return createPrivateKey({ key: bytesOf(known.privateKey), format: 'der', type: 'pkcs8' });
}

/** Makes a passkey for the site at `baseUrl`, or opens one that was made before. */
export function openAuthenticator(baseUrl: string, known?: DevToolsCredential): Authenticator {
  const { origin, hostname } = new URL(baseUrl);
  const privateKey = privateKeyOf(known);
  const publicKey = createPublicKey(privateKey);
  const rawId = known === undefined ? randomBytes(32) : bytesOf(known.credentialId);
  const id = base64url(rawId);
  let counter = known?.signCount ?? 0;
  let userHandle = known === undefined ? '' : base64url(bytesOf(known.userHandle));

  function clientData(type: string, options: Options, departure: Departure): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: departure.type ?? type,
        challenge: departure.challenge ?? options.challenge,
        origin: departure.origin ?? origin,
        crossOrigin: departure.crossOrigin ?? false,
      }),
    );
  }

  function authenticatorData(departure: Departure, attested: Buffer): Buffer {
    counter = departure.counter ?? counter + 1;
    const present = (departure.userPresent ?? true) ? 0x01 : 0;
    const verified = (departure.userVerified ?? true) ? 0x04 : 0;
    const flags = present | verified | (attested.length > 0 ? 0x40 : 0);
    return Buffer.concat([
      sha256(departure.host ?? hostname),
      Buffer.from([flags]),
      uint32(counter),
      attested,
    ]);
  }

  return {
    id,
    create: (options, departure = {}) => {
      userHandle = options.user?.id ?? '';
      const own = departure.idBytes === undefined ? rawId : randomBytes(departure.idBytes);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(own.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, own, coseOf(publicKey)]);
      const authData = new Uint8Array(authenticatorData(departure, attested));
      const client = clientData('webauthn.create', options, departure);
      const clientDataHash = new Uint8Array(sha256(client));
      const { format, statement } = attestationOf(departure, {
        authData,
        clientDataHash,
        publicKey,
      });
      const attestation = new Map<string, string | Uint8Array | Statement>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', authData],
      ]);
      return {
        id: base64url(own),
        rawId: base64url(own),
        type: 'public-key',
        response: {
          clientDataJSON: base64url(client),
          attestationObject: base64url(Buffer.from(encodeCBOR(attestation))),
          transports: departure.transports ?? ['internal'],
        },
        clientExtensionResults: {},
      };
    },
    get: (options, departure = {}) => {
      const data = authenticatorData(departure, Buffer.alloc(0));
      const client = clientData('webauthn.get', options, departure);
      const signed = Buffer.concat([data, sha256(client)]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', signed, departure.signedBy ?? privateKey)),
          userHandle: departure.userHandle ?? userHandle,
        },
        clientExtensionResults: {},
      };
    },
    toDevTools: () => ({
      credentialId: rawId.toString('base64'),
      isResidentCredential: true,
      rpId: hostname,
      privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      userHandle: Buffer.from(userHandle, 'base64url').toString('base64'),
      signCount: counter,
    }),
  };
}
