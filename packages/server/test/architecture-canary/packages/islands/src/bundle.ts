// What bundles them knows nothing of the service.
import '@colophon/contract'; // expect: no-restricted-imports
import 'idb'; // expect: no-restricted-imports
import '../../server/src/config/index.ts'; // expect: no-restricted-imports
import esbuild from 'esbuild';

export const bundle = esbuild;
