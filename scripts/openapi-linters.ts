// Runs two independent linters of OpenAPI documents, offline, and returns their findings.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';

/** Redocly's recommended rules, plus checks that examples are valid and descriptions are present. */
async function redoclyFaults(document: object): Promise<readonly string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'operation-description': 'error',
      'parameter-description': 'error',
      // A service on a laptop is at localhost.
      'no-server-example.com': 'off',
    },
  });
  const source = JSON.stringify(document);
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return found.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
}

/** Validates against the JSON Schema of the specification itself. */
async function schemaFaults(document: object): Promise<readonly string[]> {
  const { valid, errors } = await new Validator().validate({ ...document });
  return valid ? [] : [JSON.stringify(errors, null, 2)];
}

/** Returns a line for each fault; an empty list when the document is valid. */
export async function openApiFaults(document: object): Promise<readonly string[]> {
  const [redocly, schema] = await Promise.all([redoclyFaults(document), schemaFaults(document)]);
  return [...redocly, ...schema];
}
