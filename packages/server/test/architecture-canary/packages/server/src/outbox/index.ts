// The worker's library has its place here; the framework and the areas have not. // expect in this file: no-cycle
import 'graphile-worker';
import 'pg';
import 'fastify'; // expect: no-restricted-imports
import 'node-pg-migrate'; // expect: no-restricted-imports
import '#articles'; // expect: no-restricted-imports
import '#http'; // expect: no-restricted-imports
