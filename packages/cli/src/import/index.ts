// The door of imports: open a source, and take it into an account.
export { importInto } from './import-into.ts';
export type { ImportOptions, ImportReport, Progress } from './import-into.ts';
export { openImportRecord } from './record.ts';
export { openSource } from './open-source.ts';
export { openProofs } from './archive/proofs.ts';
export type { ArchivedProof, ArchivedProofs } from './archive/proofs.ts';
export type { CopyFault } from './archive/markdown-copies.ts';
export { verifyArchive } from './archive/verify-archive.ts';
export { isDamage } from './source.ts';
export type { Source } from './source.ts';
