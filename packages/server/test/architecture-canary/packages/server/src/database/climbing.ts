// The database is below everything but lib.
import '#http'; // expect: no-restricted-imports
import '#articles'; // expect: no-restricted-imports
import '@fastify/cors'; // expect: no-restricted-imports
import '../../package.json'; // expect: no-restricted-imports
import { port } from '#config'; // expect: no-restricted-imports

export const seen = port;
