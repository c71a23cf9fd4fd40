// The door of the run time: use of Node.js, V8 and the operating system beyond their defaults.
export { confinementOf } from './confinement.ts';
export { makeFolders } from './make-folders.ts';
export { idsIn, inOwnRange, ownIdOf } from './own-user.ts';
export type { Confinement, Part } from './own-user.ts';
export { processFields } from './process-fields.ts';
export { identityOf, runs, thisHost } from './process-identity.ts';
export type { Identity } from './process-identity.ts';
export { limitProcessor } from './processor-limit.ts';
export type { ProcessorLimits } from './processor-limit.ts';
export { releaseBuffer } from './release-buffer.ts';
export { makeTemporary, removeTemporary, sweepTemporary } from './temporary-folders.ts';
