// The SDK depends on the contract's door only.
import 'pg'; // expect: no-restricted-imports
import 'node:fs'; // expect: no-restricted-imports
import { problems } from '@colophon/contract';

export const parsed: unknown = JSON.parse('{}');
export const names = Object.keys(problems);
