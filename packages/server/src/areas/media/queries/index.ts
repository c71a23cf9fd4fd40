// Every SQL statement on media, one file per subject.
export * from './blobs.ts';
export * from './erasing.ts';
export * from './media.ts';
export * from './moderating.ts';
export * from './stored-names.ts';
export * from './variants.ts';
