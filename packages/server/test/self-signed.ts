// A certificate that no authority signed.
// It loads the polyfill that @peculiar/x509 expects.
import '@simplewebauthn/server';
import * as x509 from '@peculiar/x509';

/** Makes a certificate for names, the first of which is its own, and its key, as PEM. */
export async function selfSigned(
  names: readonly [string, ...string[]],
): Promise<{ readonly certificate: string; readonly key: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${names[0]}`,
    notAfter: new Date(Date.now() + 86_400_000),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: 'dns' as const, value })),
      ),
    ],
  });
  const secret = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(secret, 'PRIVATE KEY'),
  };
}
