// A process that imports an archive and prints its progress, for a test that kills it.
import { createClient } from '@colophon/sdk';
import { importInto, openSource } from '../../src/import/index.ts';

const { IMPORT_URL: baseUrl = '', IMPORT_TOKEN: token } = process.env;
const source = await openSource(process.argv[2] ?? '');
await importInto(createClient({ baseUrl, token }), source, {
  report: (progress) => {
    if (progress.step === 'article') process.stdout.write(`article ${progress.done}\n`);
  },
});
await source[Symbol.asyncDispose]();
