// The door of the client: createClient, problems as errors, and their types.
export { createClient } from './client.ts';
export type { ClientOptions } from './client.ts';
export { isProblem, ProblemError } from './problem-error.ts';
export type { Fault, ProblemDocument, ProblemSource } from './problem-error.ts';
export type { CallOptions, ReplyHead, RetryOptions } from './call-options.ts';
export type { Client, EventsOptions, EventStream } from './client-type.ts';
export type {
  BodyAnswer,
  Event,
  EventOf,
  EventPayloads,
  EventType,
  InputOf,
  ItemOf,
  ListName,
  OperationName,
  ProblemName,
  ReplyOf,
} from './types.ts';
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
