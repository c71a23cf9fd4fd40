// The door of the client: createClient, problems as errors, and their types.
export { createClient } from './client.ts';
export type { ClientOptions } from './client.ts';
export { isProblem, ProblemError } from './problem-error.ts';
export type { Fault, ProblemDocument, ProblemSource } from './problem-error.ts';
export type { CallOptions, ReplyHead, RetryOptions } from './call-options.ts';
export { uploadFile } from './upload-file.ts';
export type { FileContent, FileUpload, MediaFile } from './upload-file.ts';
export type { UploadProgress } from './upload-progress.ts';
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
  readKeyHistory,
  verifyProof,
} from './proofs.ts';
export type {
  SignableRevision,
  SignedPublication,
  Signer,
  ProofFacts,
  ProofReason,
  ProofVerdict,
  Unchecked,
  VerifyOptions,
  ProvenText,
  KeyRecord,
  Proof,
  KeyHistory,
  ProofKey,
  TrustEcho,
  Trusted,
  TrustedPublicKeys,
  TrustReason,
  LoggedFacts,
  LogReason,
  LogState,
  TrustedLog,
  Witnessed,
} from './proofs.ts';
export { createCheckpointMemory, createLogClient, isLogFault, verifyCheckpoint } from './log.ts';
export type {
  CheckpointMemory,
  CheckpointReason,
  EntryRange,
  KnownTree,
  LogClient,
  LogClientOptions,
  LogEntry,
  LogEvidence,
  LogFault,
  LogFaultFacts,
  LogFaultReason,
  LogSource,
  ReadLogFile,
  SignedCheckpoint,
} from './log.ts';
