// The door of imports: open a source, and take it into an account.
export { importInto } from './import-into.ts';
export type { ImportOptions, ImportReport } from './import-into.ts';
export { openSource } from './open-source.ts';
export { isRefusal } from './source.ts';
