// Every SQL statement on exports, one file per subject.
export * from './building.ts';
export * from './ending.ts';
export * from './exports.ts';
