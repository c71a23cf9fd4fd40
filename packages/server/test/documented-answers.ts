// What the OpenAPI document says of each answer: the whole traffic of the tests is checked against it.
import assert from 'node:assert/strict';
import { openApi } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}
type Responses = Readonly<Record<string, Described>>;

const errorsBaseUrl = 'https://errors.example.com';
const document = openApi({ baseUrl: 'https://example.org', errorsBaseUrl, version: 'v1' }) as {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Responses }>>>
  >;
  readonly components: { readonly responses: Responses };
};
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  validateFormats: false,
  validateSchema: false,
});
ajv.addSchema(document, 'openapi');
const validators = new Map<string, ValidateFunction | undefined>();

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Compiles the schema at a place of the document, once: many operations share the answers of problems. */
function compile(place: readonly string[]): ValidateFunction {
  const reference = `openapi#/${place.map(escapePointer).join('/')}`;
  return ajv.getSchema(reference) ?? assert.fail(`${reference} leads nowhere`);
}

/** Returns the place of an answer in the document, behind a reference. @throws AssertionError without one */
function placeOf({ name, method, path }: AnyOperation, status: number) {
  const own = ['paths', path, method.toLowerCase(), 'responses', String(status)];
  const described = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)];
  assert.ok(described, `the OpenAPI document describes no answer ${status} of ${name}`);
  if (described.$ref === undefined) return { described, place: own };
  const shared =
    described.$ref.split('/').at(-1)?.replaceAll('~1', '/').replaceAll('~0', '~') ?? '';
  const target = document.components.responses[shared];
  assert.ok(target, `${described.$ref} leads nowhere`);
  return { described: target, place: ['components', 'responses', shared] };
}

function validatorOf(operation: AnyOperation, status: number, type: string) {
  const key = `${operation.name} ${status} ${type}`;
  if (validators.has(key)) return validators.get(key);
  const { described, place } = placeOf(operation, status);
  const schema = described.content?.[type]?.schema;
  const validate =
    schema === undefined ? undefined : compile([...place, 'content', type, 'schema']);
  validators.set(key, validate);
  return validate;
}

/**
 * Checks that the OpenAPI document describes this answer of an operation.
 * @throws AssertionError that names what differs
 */
export function checkDocumented(
  operation: AnyOperation,
  status: number,
  type: string,
  body: unknown,
): void {
  const validate = validatorOf(operation, status, type);
  if (validate === undefined) return;
  assert.ok(validate(body), `${operation.name} ${status}: ${ajv.errorsText(validate.errors)}`);
}

/** Checks a problem, whose type is below the base address of the server that was asked. */
export function checkDocumentedProblem(
  operation: AnyOperation,
  problem: Readonly<Record<string, unknown>>,
): void {
  const name = String(problem['type']).split('/').at(-1);
  const body = { ...problem, type: `${errorsBaseUrl}/${name}` };
  checkDocumented(operation, Number(problem['status']), 'application/problem+json', body);
}
