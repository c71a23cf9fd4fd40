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
export type { VerifyOptions } from './verify-proof.ts';
export type {
  LogState,
  ProofFacts,
  ProofReason,
  ProofVerdict,
  Unchecked,
} from './proof-verdict.ts';
export type { LoggedFacts, LogReason, TrustedLog, Witnessed } from './log-types.ts';
export type { ProvenText } from './content-hash.ts';
export type { KeyRecord, Proof } from './proof-shape.ts';
export type { ProofKey, TrustReason } from './proof-trust.ts';
export type { KeyHistory, TrustEcho, Trusted, TrustedPublicKeys } from './trusted.ts';
