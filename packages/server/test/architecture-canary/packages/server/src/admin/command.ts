// Commands use doors.
import 'pg'; // expect: no-restricted-imports
import 'fastify'; // expect: no-restricted-imports
import '#services';
import '#identity';
