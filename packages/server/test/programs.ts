// The programs that tests start as processes.
import { join } from 'node:path';

/** Names the folder of the bundled programs in the environment of the test files. */
export const bundleVariable = 'COLOPHON_TEST_PROGRAMS';

const source = join(import.meta.dirname, '../src');
const bundle = process.env[bundleVariable];

/** The server as it is installed. For tests of the start itself. */
export const installedServer = join(source, 'main.mjs');

/** The server, bundled: it starts with half the processor time. A file that runs outside of the runner has no bundle. */
export const serverProgram = bundle === undefined ? installedServer : join(bundle, 'main.mjs');

/** The operator's program, bundled. */
export const adminProgram =
  bundle === undefined ? join(source, 'admin/main.ts') : join(bundle, 'admin.mjs');
