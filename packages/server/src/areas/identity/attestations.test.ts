// No attestation makes the server send a request: certificates of clients name addresses, and none is fetched.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
// First: it loads what the next one needs.
import { SettingsService, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  Extension,
  GeneralName,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { X509Certificate } from '@peculiar/x509';
import { openAuthenticator } from '#test/authenticator';
import type { Attestation, Options, Signed } from '#test/authenticator';
import { freshName, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const subject = 'C=XX, O=Maker, OU=Authenticator Attestation, CN=attest.android.com';

/** What the address that the certificates name was asked for. */
const asked: string[] = [];
const listener = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
});

let server: TestServer;
let root: X509Certificate;
let rootKeys: CryptoKeyPair;
let leaf: Uint8Array;

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

/** A root of the attester, and a certificate by it that names the listener everywhere. */
async function certify(): Promise<void> {
  rootKeys = await newKeys();
  root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Root',
    keys: rootKeys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true)],
  });
  leaf = await certificateOf((await newKeys()).publicKey);
}

async function certificateOf(publicKey: CryptoKey, more: Extension[] = []): Promise<Uint8Array> {
  const at = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: root.subject,
    publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false),
      new CRLDistributionPointsExtension([`${at}/crl`]),
      new AuthorityInfoAccessExtension({
        ocsp: new GeneralName('url', `${at}/ocsp`),
        caIssuers: new GeneralName('url', `${at}/issuer`),
      }),
      ...more,
    ],
  });
  return new Uint8Array(certificate.rawData);
}

before(async () => {
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  await certify();
  server = await startServer();
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  listener.close();
});

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** SafetyNet has its certificates in the header of a JSON Web Signature. */
function safetyNet({ authData, clientDataHash }: Signed): Attestation['statement'] {
  const nonce = createHash('sha256').update(authData).update(clientDataHash).digest('base64');
  const payload = { nonce, ctsProfileMatch: true, timestampMs: Date.now() };
  const parts = [{ alg: 'ES256', x5c: [base64(leaf)] }, payload].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const response = new Uint8Array(Buffer.from([...parts, 'c2lnbmF0dXJl'].join('.')));
  return new Map<string, string | Uint8Array>([
    ['ver', '1'],
    ['response', response],
  ]);
}

function withCertificate(): Attestation['statement'] {
  return new Map<string, number | Uint8Array | Uint8Array[]>([
    ['alg', -7],
    ['sig', new Uint8Array(randomBytes(70))],
    ['x5c', [leaf]],
  ]);
}

/** The certificate is of the passkey itself and contains the challenge (KeyDescription, version 3). */
async function androidKey({
  publicKey,
  clientDataHash,
}: Signed): Promise<Attestation['statement']> {
  const jwk = publicKey.export({ format: 'jwk' });
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, true, ['verify']);
  const head = Buffer.from('30340201030a01000201030a01000420', 'hex');
  const tail = Buffer.from('040030003000', 'hex');
  const description = new Uint8Array(Buffer.concat([head, clientDataHash, tail]));
  const own = await certificateOf(key, [
    new Extension('1.3.6.1.4.1.11129.2.1.17', false, description),
  ]);
  return withCertificate().set('x5c', [own, new Uint8Array(root.rawData)]);
}

function tpm(): Attestation['statement'] {
  const bytes = new Uint8Array(randomBytes(64));
  return withCertificate().set('ver', '2.0').set('certInfo', bytes).set('pubArea', bytes);
}

interface Format {
  readonly statement: (
    signed: Signed,
  ) => Attestation['statement'] | Promise<Attestation['statement']>;
  /** Whether the library asks for the revocation list only if it is told to trust the root. */
  readonly needsTrust: boolean;
  /** Whether the library alone asks for the revocation list. */
  readonly fetches: boolean;
}

const formats: Readonly<Record<string, Format>> = {
  packed: { statement: withCertificate, needsTrust: true, fetches: true },
  'fido-u2f': { statement: withCertificate, needsTrust: true, fetches: true },
  apple: { statement: withCertificate, needsTrust: true, fetches: true },
  'android-safetynet': { statement: safetyNet, needsTrust: true, fetches: true },
  'android-key': { statement: androidKey, needsTrust: false, fetches: true },
  // Much more of the statement is checked before revocation.
  tpm: { statement: tpm, needsTrust: true, fetches: false },
};

/** Answers as an authenticator that attests in this format. */
async function attestAs(options: Options, format: string, { statement }: Format) {
  const authenticator = openAuthenticator(server.baseUrl);
  let signed: Signed | undefined;
  authenticator.create(options, {
    counter: 1,
    attest: (given) => {
      signed = given;
      return { format: 'none', statement: new Map() };
    },
  });
  const made = await statement(signed ?? assert.fail());
  return authenticator.create(options, {
    counter: 1,
    attest: () => ({ format, statement: made }),
  });
}

async function libraryAlone(options: Options, credential: Record<string, unknown>): Promise<void> {
  const { hostname } = new URL(server.baseUrl);
  await verifyRegistrationResponse({
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge: options.challenge,
    expectedOrigin: server.baseUrl,
    expectedRPID: hostname,
    supportedAlgorithmIDs: [-7],
  }).catch(() => undefined);
}

for (const [name, format] of Object.entries(formats)) {
  test(`422 validation-failed: ${name} with a certificate, and no address in it is asked`, async () => {
    if (format.needsTrust)
      SettingsService.setRootCertificates({
        identifier: name as 'packed',
        certificates: [root.toString('pem')],
      });
    const browser = openBrowser(server);
    const begun = await browser.ask('POST', '/-/join/begin', { body: { username: freshName() } });
    const { ceremony_id, options } = begun.body;
    const credential = await attestAs(options, name, format);
    const { status, body } = await browser.ask('POST', '/-/join', {
      body: { ceremony_id, credential },
    });
    assert.deepEqual([status, body.errors[0].pointer], [422, '/credential']);
    assert.deepEqual(asked.splice(0), []);
    await libraryAlone(options, credential);
    assert.deepEqual(asked.splice(0), format.fetches ? ['/crl'] : []);
  });
}
