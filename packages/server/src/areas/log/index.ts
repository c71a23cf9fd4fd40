// The door of the transparency log: a Merkle tree over publications, keys, moderation and closings.
export { startLogging } from './service/integrate.ts';
export { findKeyFault, startLog } from './service/key.ts';
export { describeLog, proveLogged } from './service/proofs.ts';
export { writeTiles } from './service/publish.ts';
export { readLogFile } from './service/read-file.ts';
export { recoverLog } from './service/recover.ts';
export { endRotation, replaceLostKey, rotateKey } from './service/rotate.ts';
export { findLogStatus } from './service/status.ts';
export { addCheckpoint, openWitnessKey, readWitnessed } from './service/witness.ts';
export type { Reply } from './service/witness.ts';
export { verifyLog } from './service/verify.ts';
export { logSubscribers, rebuildingLog } from './subscribers.ts';
