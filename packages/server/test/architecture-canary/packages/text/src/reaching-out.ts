// Work on texts knows nothing of the service, and reads no file.
import 'node:fs'; // expect: no-restricted-imports
import 'node:http'; // expect: no-restricted-imports
import '@colophon/contract'; // expect: no-restricted-imports
import '@colophon/server'; // expect: no-restricted-imports
import '../../server/src/config/index.ts'; // expect: no-restricted-imports
import { diffArrays } from 'diff';

export const compare = diffArrays;
