// The drawing program knows nothing of the service, and needs no network.
import 'node:http'; // expect: no-restricted-imports
import '@colophon/contract'; // expect: no-restricted-imports
import '@colophon/server'; // expect: no-restricted-imports
import '../../server/src/config/index.ts'; // expect: no-restricted-imports
import sharp from 'sharp';

export const draw = sharp;
