// The operations of exports: each one named here is served.
export { createExport } from './create-export.ts';
export { deleteExport } from './delete-export.ts';
export { listExports } from './list-exports.ts';
export { readExport } from './read-export.ts';
export { readExportContent } from './read-export-content.ts';
