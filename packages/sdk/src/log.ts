// Reading the transparency log: apart from the client, so that other programs load no cryptography.
export { createLogClient, verifyCheckpoint } from './log-client.ts';
export type { EntryRange, LogClient, LogClientOptions, LogEntry } from './log-client.ts';
export { createCheckpointMemory } from './checkpoint-memory.ts';
export type { CheckpointMemory } from './checkpoint-memory.ts';
export { isLogFault } from './log-fault.ts';
export type { LogEvidence, LogFault, LogFaultFacts, LogFaultReason } from './log-fault.ts';
export type { LogSource, ReadLogFile } from './log-files.ts';
export type { CheckpointReason, KnownTree, SignedCheckpoint } from './log-types.ts';
