// The door of imports: open a source, and take it into an account.
export { importInto } from './import-into.ts';
export type { ImportOptions, ImportReport } from './import-into.ts';
export { openColophonArchive } from './archive/colophon.ts';
export { isRefusal } from './source.ts';
