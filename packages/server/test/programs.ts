// The programs that tests start as processes. The test run builds them before its first file.
import { join } from 'node:path';

const source = join(import.meta.dirname, '../src');

/** The server. */
export const serverProgram = join(source, 'main.mjs');

/** The operator's program. */
export const adminProgram = join(source, 'admin/main.mjs');
