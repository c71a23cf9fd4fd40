// Checks an answer against the rules for every answer, the contract, and the OpenAPI document.
import assert from 'node:assert/strict';
import { ceremonyList, operationList, problems } from '@colophon/contract';
import type { AnyOperation, ProblemName } from '@colophon/contract';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { checkDocumented, checkDocumentedProblem } from './documented-answers.ts';

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text where the answer is not JSON. */
  // The shape is checked against the contract; tests look at members by name.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
const validators = new Map<string, ValidateFunction>();

function validatorOf(operation: AnyOperation, status: number): ValidateFunction | undefined {
  const schema = operation.answers[status];
  if (schema === undefined || schema === null) return undefined;
  const name = `${operation.name} ${status}`;
  const validate = validators.get(name) ?? ajv.compile(schema);
  validators.set(name, validate);
  return validate;
}

const patterns = [...operationList, ...ceremonyList].map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

function operationAt(method: string, path: string): AnyOperation | undefined {
  const pathname = path.split('?')[0] ?? '';
  return patterns.find(
    ({ operation, pattern }) => operation.method === method && pattern.test(pathname),
  )?.operation;
}

/** The rules for every response. */
export function checkResponse(method: string, path: string, response: Response): void {
  const place = `${method} ${path} → ${response.status}`;
  checkHeaders(place, response);
  const operation = operationAt(method === 'HEAD' ? 'GET' : method, path);
  if (response.status >= 400) {
    checkProblem(place, response);
    if (operation && isOfApi(operation)) checkDocumentedProblem(operation, response.body);
    return;
  }
  if (operation === undefined || method === 'HEAD') return;
  if (response.status === 304 || isOtherwise(path, response)) return;
  checkAnswer(place, operation, response);
}

function checkHeaders(place: string, response: Response): void {
  assert.match(
    response.headers.get('x-request-id') ?? '',
    /^[\w.~-]{8,64}$/,
    `${place}: X-Request-Id`,
  );
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff', `${place}: nosniff`);
}

function checkAnswer(place: string, operation: AnyOperation, response: Response): void {
  assert.ok(response.status in operation.answers, `${place}: the contract knows no such answer`);
  if (isOfApi(operation)) {
    checkDocumented(operation, response.status, 'application/json', response.body);
    return;
  }
  const validate = validatorOf(operation, response.status);
  if (validate === undefined) return;
  assert.ok(validate(response.body), `${place}: ${ajv.errorsText(validate.errors)}`);
}

/** Ceremonies are not in the OpenAPI document. */
const isOfApi = ({ path }: AnyOperation): boolean => path.startsWith('/v1/');

/** A trial, and what is not JSON as the contract describes it, have tests of their own. */
function isOtherwise(path: string, { headers }: Response): boolean {
  return (
    path.includes('dry_run=true') || /ld\+json|csv|markdown/.test(headers.get('content-type') ?? '')
  );
}

function checkProblem(place: string, response: Response): void {
  assert.match(
    response.headers.get('content-type') ?? '',
    /^application\/problem\+json/,
    `${place}: problem+json`,
  );
  const { type, title, status, request_id } = response.body as Record<string, unknown>;
  const name = String(type).split('/').at(-1) as ProblemName;
  assert.ok(name in problems, `${place}: ${String(type)} is not a problem type`);
  assert.equal(status, response.status, `${place}: status`);
  assert.equal(problems[name].status, response.status, `${place}: status of ${name}`);
  assert.equal(title, problems[name].title, `${place}: title`);
  assert.equal(request_id, response.headers.get('x-request-id'), `${place}: request_id`);
}
