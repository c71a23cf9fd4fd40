// Signing and verifying: apart from the client, so that a program that does neither loads no cryptography.
export {
  createSecretKey,
  publishSigned,
  registerSigningKey,
  signerOf,
  signRevision,
} from './signing.ts';
export type { SignableRevision, SignedPublication, Signer } from './signing.ts';
export { readKeyHistory } from './key-history.ts';
export { verifyProof } from './verify-proof.ts';
export type {
  ProofFacts,
  ProofReason,
  ProofVerdict,
  Unchecked,
  VerifyOptions,
} from './verify-proof.ts';
export type { ProvenText } from './content-hash.ts';
export type { KeyRecord, Proof } from './proof-shape.ts';
export type {
  KeyHistory,
  ProofKey,
  TrustEcho,
  Trusted,
  TrustedPublicKeys,
  TrustReason,
} from './proof-trust.ts';
