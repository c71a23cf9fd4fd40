// Every SQL statement on media, one file per subject.
export * from './blobs.ts';
export * from './erasing.ts';
export * from './media.ts';
export * from './moderating.ts';
