// The problems of operations as OpenAPI responses: one for each set of problems with the same status.
import { problemNames, problems } from './problems.ts';
import type { ProblemName } from './problems.ts';
import { plain } from './openapi-schemas.ts';
import type { Json } from './openapi-schemas.ts';

const text = { type: 'string' } as const;

/** RFC 9457 section 3, with the extension members of this service. */
export const problemSchema: Json = plain(
  {
    type: 'object',
    description:
      'A problem document (RFC 9457). Match on `type`, not on title or status. ' +
      `Retryable: ${problemNames.filter((name) => problems[name].retryable).join(', ')}.`,
    required: ['type', 'title', 'status'],
    properties: {
      type: {
        type: 'string',
        format: 'uri',
        description: 'address of the explanation of the problem',
      },
      title: { ...text, description: 'short description of the type' },
      status: { type: 'integer', description: 'the HTTP status' },
      detail: { type: 'string', description: 'the fault, and what to send instead' },
      instance: text,
      request_id: text,
      retry_after_seconds: {
        type: 'integer',
        minimum: 0,
        description: 'number of seconds to wait before a retry',
      },
      errors: {
        type: 'array',
        description: 'all faults of the body or the query',
        items: {
          type: 'object',
          required: ['pointer', 'code', 'detail'],
          properties: {
            pointer: { type: 'string', description: 'RFC 6901 pointer into the body' },
            code: text,
            detail: text,
            allowed_values: { type: 'array', items: {} },
          },
        },
      },
      required_scopes: { type: 'array', items: text },
      held_scopes: { type: 'array', items: text },
      current_revision_id: { type: 'string', description: 'the revision to build on' },
      removed_at: text,
      reason_code: text,
      nonce: { type: 'string', description: 'a new nonce for registering a signing key' },
      nonce_expires_at: text,
      signing_input: { type: 'string', description: 'the text to sign' },
      quota: {
        type: 'object',
        description: 'the exhausted allowance',
        properties: {
          action: text,
          limit: { type: 'integer' },
          remaining: { type: 'integer' },
          window: text,
          reset_at: text,
        },
      },
    },
  },
  { isOutermost: true },
) as Json;

const ownHeaders: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': { description: 'RFC 6750', schema: text } },
  403: { 'WWW-Authenticate': { description: 'RFC 6750, with the missing scope', schema: text } },
  404: { Allow: { description: 'The methods of a known path', schema: text } },
  412: { ETag: { description: 'ETag of the current revision', schema: text } },
  429: {
    'Retry-After': { description: 'Seconds', schema: { type: 'integer' } },
    RateLimit: { description: 'The remaining requests (IETF draft)', schema: text },
    'RateLimit-Policy': { description: 'The rate limits (IETF draft)', schema: text },
  },
  503: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } },
};

function response(names: readonly ProblemName[], errorsBaseUrl: string): Json {
  const status = names[0] === undefined ? 500 : problems[names[0]].status;
  const types = names.map((name) => `${errorsBaseUrl}/${name}`);
  return {
    description: names
      .map((name) => `\`${name}\`: ${problems[name].meaning} ${problems[name].advice}`)
      .join('\n\n'),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...ownHeaders[status],
    },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Problem' }],
          properties: {
            type: { enum: types, description: 'one of these' },
            status: { const: status, description: 'the HTTP status' },
          },
        },
      },
    },
  };
}

/** Returns the given problems by status: references to responses, and those responses themselves. */
export function problemsByStatus(names: readonly ProblemName[]): {
  readonly references: Json;
  readonly responses: (errorsBaseUrl: string) => Json;
} {
  const statuses = new Set(names.map((name) => problems[name].status));
  const groups = [...statuses].map((status) => {
    const group = names.filter((name) => problems[name].status === status);
    return { status, group, key: group.join('.') };
  });
  return {
    references: Object.fromEntries(
      groups.map(({ status, key }) => [status, { $ref: `#/components/responses/${key}` }]),
    ),
    responses: (errorsBaseUrl) =>
      Object.fromEntries(groups.map(({ group, key }) => [key, response(group, errorsBaseUrl)])),
  };
}
