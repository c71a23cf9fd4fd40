// What stands directly in src goes through doors.
import 'pg'; // expect: no-restricted-imports
import 'fastify'; // expect: no-restricted-imports
import './http/problem.ts'; // expect: no-restricted-imports
import '../test/harness.ts'; // expect: no-restricted-imports
import '#test/harness'; // expect: no-restricted-imports
import '#database';
import '#config';

export const folder = process.env['DATA_DIR']; // expect: no-process-env
