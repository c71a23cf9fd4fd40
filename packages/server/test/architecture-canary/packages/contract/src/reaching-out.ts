// The contract depends on typebox only.
import 'node:fs'; // expect: no-restricted-imports
import '@colophon/sdk'; // expect: no-restricted-imports
import '../../server/src/config/index.ts'; // expect: no-restricted-imports
import Type from 'typebox';

export const name = Type.String();
