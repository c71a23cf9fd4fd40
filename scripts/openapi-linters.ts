// Two independent linters of OpenAPI documents, offline: what they find wrong with one.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';

/** What Redocly recommends, and that examples fit and nothing goes without a description. */
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

/** The JSON Schema of the specification itself. */
async function schemaFaults(document: object): Promise<readonly string[]> {
  const { valid, errors } = await new Validator().validate({ ...document });
  return valid ? [] : [JSON.stringify(errors, null, 2)];
}

/** A line for each fault; none: the document is valid. */
export async function openApiFaults(document: object): Promise<readonly string[]> {
  const [redocly, schema] = await Promise.all([redoclyFaults(document), schemaFaults(document)]);
  return [...redocly, ...schema];
}
