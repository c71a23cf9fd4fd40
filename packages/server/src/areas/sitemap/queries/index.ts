// Every SQL statement of the sitemap.
export * from './entries.ts';
export * from './files.ts';
