// Every SQL statement on media, by what it is about.
export * from './blobs.ts';
export * from './erasing.ts';
export * from './media.ts';
export * from './moderating.ts';
