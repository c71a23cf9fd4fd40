// The life of a file on a folder.
import { after } from 'node:test';
import { startServer } from '../harness.ts';
import { testOgImages } from './og-images.ts';
import { testTable } from './table.ts';
import { testWithheld } from './withheld.ts';

const server = await startServer({}, {}, { drawsAhead: true });
after(() => server[Symbol.asyncDispose]());
testTable('folder', () => server);
testWithheld('folder', () => server);
testOgImages('folder', () => server);
