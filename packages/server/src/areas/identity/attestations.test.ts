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
let leaf: Uint8Array;

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

/** A root that the library is told to trust, and a certificate by it that names the listener everywhere. */
async function certify(): Promise<void> {
  const at = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const [rootKeys, leafKeys] = await Promise.all([newKeys(), newKeys()]);
  root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Root',
    keys: rootKeys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true)],
  });
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: root.subject,
    publicKey: leafKeys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false),
      new CRLDistributionPointsExtension([`${at}/crl`]),
      new AuthorityInfoAccessExtension({
        ocsp: new GeneralName('url', `${at}/ocsp`),
        caIssuers: new GeneralName('url', `${at}/issuer`),
      }),
    ],
  });
  leaf = new Uint8Array(certificate.rawData);
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

function tpm(): Attestation['statement'] {
  const bytes = new Uint8Array(randomBytes(64));
  return withCertificate().set('ver', '2.0').set('certInfo', bytes).set('pubArea', bytes);
}

/** `fetches`: without our check, the library asks for the list of revoked certificates. */
const formats = {
  packed: { statement: withCertificate, fetches: true },
  'fido-u2f': { statement: withCertificate, fetches: true },
  apple: { statement: withCertificate, fetches: true },
  'android-safetynet': { statement: safetyNet, fetches: true },
  // These check more of the certificate before they look for revoked ones.
  'android-key': { statement: withCertificate, fetches: false },
  tpm: { statement: tpm, fetches: false },
} as const;

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

for (const [format, { statement, fetches }] of Object.entries(formats)) {
  test(`422 validation-failed: ${format} with a certificate, and no address in it is asked`, async () => {
    SettingsService.setRootCertificates({
      identifier: format as keyof typeof formats,
      certificates: [root.toString('pem')],
    });
    const browser = openBrowser(server);
    const begun = await browser.ask('POST', '/-/join/begin', { body: { username: freshName() } });
    const { ceremony_id, options } = begun.body;
    const credential = openAuthenticator(server.baseUrl).create(options, {
      attest: (signed) => ({ format, statement: statement(signed) }),
    });
    const { status, body } = await browser.ask('POST', '/-/join', {
      body: { ceremony_id, credential },
    });
    assert.deepEqual([status, body.errors[0].pointer], [422, '/credential']);
    assert.deepEqual(asked, []);
    await libraryAlone(options, credential);
    assert.deepEqual(asked.splice(0), fetches ? ['/crl'] : []);
  });
}
