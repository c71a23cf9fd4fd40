// The kernel knows no area and no driver, and parses input in one place.
import 'pg'; // expect: no-restricted-imports
import '#identity'; // expect: no-restricted-imports
import '#app'; // expect: no-restricted-imports
import type { port } from '#config';

export const parsed: unknown = JSON.parse('{}'); // expect: no-restricted-properties
export type Port = typeof port;
