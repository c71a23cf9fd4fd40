// Pages call invoke only, and never build markup by hand.
import type { FastifyRequest } from 'fastify';
import '#http';
import '#articles'; // expect: no-restricted-imports
import '#database'; // expect: no-restricted-imports
import 'node:http'; // expect: no-restricted-imports

export type PageRequest = FastifyRequest;

export function show(node: { innerHTML: string; insertAdjacentHTML: (at: string, text: string) => void }): void {
  node.innerHTML = '<p>'; // expect: no-restricted-properties
  node.insertAdjacentHTML('beforeend', '<p>'); // expect: no-restricted-properties
}
