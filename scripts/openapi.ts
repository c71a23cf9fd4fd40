// Checks the OpenAPI document against the specification. Part of npm run check.
import { openApi } from '@colophon/contract';
import { openApiFaults } from './openapi-linters.ts';

const baseUrl = 'https://colophon.example.org';
const document = openApi({ baseUrl, errorsBaseUrl: `${baseUrl}/errors`, version: 'v1' });
const faults = await openApiFaults(document);
process.stdout.write(
  faults.length === 0 ? 'The OpenAPI document is valid.\n' : `${faults.join('\n')}\n`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
