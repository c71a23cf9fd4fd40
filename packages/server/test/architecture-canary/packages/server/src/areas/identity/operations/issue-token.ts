// What an operation may not reach. // expect in this file: no-cycle
import 'pg'; // expect: no-restricted-imports
import 'fastify'; // expect: no-restricted-imports
import 'node:net'; // expect: no-restricted-imports
import '#services'; // expect: no-restricted-imports
import '#web'; // expect: no-restricted-imports
import '../../articles/index.ts'; // expect: no-restricted-imports
import { port } from '#config'; // expect: no-restricted-imports
import { implement } from '#http';
import '../queries.ts';

export async function issueToken(): Promise<string> {
  const answer = await fetch('https://example.org'); // expect: no-restricted-globals
  return implement(String(port) + String(answer.status) + String(JSON.parse('1'))); // expect: no-restricted-properties
}
