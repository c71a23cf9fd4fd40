// Parameters and headers of operations in an OpenAPI document.
import { paramsSchema } from './operation.ts';
import type { AnyOperation } from './operation.ts';
import { meaningOf } from './openapi-descriptions.ts';
import { exampleOf } from './openapi-examples.ts';
import { plain, sharedNames } from './openapi-schemas.ts';
import type { Json } from './openapi-schemas.ts';
import { limits } from './vocabulary.ts';

const requestId = {
  description:
    'Identifies this request in the logs of the service: include it in support requests.',
  schema: { type: 'string' },
};

export const headers = {
  'X-Request-Id': requestId,
  ETag: {
    description: 'Changes with every member of the response; valid in `If-Match`.',
    schema: { type: 'string' },
  },
  Location: {
    description: 'Address of the created object, if it can be read.',
    schema: { type: 'string' },
  },
  'Content-Range': {
    description: 'The range of the bytes, and the size of the file.',
    schema: { type: 'string' },
  },
  Link: {
    description: '`rel="next"`: the next page (RFC 8288), if there is one.',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: '`true`: this is the stored answer to an earlier request with this key.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A new key for each logical request, and the same key on its retries: ' +
    `the effect happens once. Stored for ${limits.idempotency_hours} hours. Visible ASCII characters.`,
  schema: {
    type: 'string',
    minLength: limits.idempotency_key_min,
    maxLength: limits.idempotency_key_max,
    pattern: '^[\\x20-\\x7e]+$',
  },
};

export const commonParameters = {
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The newest revision, `"<revision_id>"`, or the ETag of a read that showed it: if the article has a newer ' +
      'one, the answer is 412 and nothing changes. A new revision requires it, or `expected_revision_id` in the ' +
      'body, which has the same meaning.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an earlier response: the answer is 304 if nothing has changed.',
    schema: { type: 'string' },
  },
  Range: {
    name: 'Range',
    in: 'header',
    description:
      'One range of bytes, such as `bytes=0-99`; a request for several ranges returns the whole file.',
    schema: { type: 'string' },
  },
};

function headerParameters(operation: AnyOperation): Json[] {
  const { idempotency, precondition, cacheable, contentTypes } = operation;
  const ref = (name: keyof typeof commonParameters) => ({
    $ref: `#/components/parameters/${name}`,
  });
  return [
    ...(idempotency === undefined
      ? []
      : [{ ...idempotencyKey, required: idempotency === 'required' }]),
    ...(precondition ? [ref('If-Match')] : []),
    ...(cacheable || contentTypes ? [ref('If-None-Match')] : []),
    ...(contentTypes ? [ref('Range')] : []),
  ];
}

/** Returns the kind of record that an id in a path identifies. */
function shownId(name: string): string {
  const words = name
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replaceAll('_', ' ');
  return words === 'id' ? 'id of the object' : words;
}

export function parametersOf(operation: AnyOperation): Json[] {
  const list = (schema: unknown, place: 'path' | 'query') => {
    const { properties = {}, required = [] } = schema as {
      properties?: Json;
      required?: readonly string[];
    };
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...rest } = property as { description?: string };
      const isShared = sharedNames.has(JSON.stringify(property));
      const words = isShared ? shownId(name) : (description ?? meaningOf('query', name, property));
      return {
        name,
        in: place,
        ...(required.includes(name) ? { required: true } : {}),
        ...(words === undefined ? {} : { description: words }),
        schema: plain(isShared ? property : rest),
        example: exampleOf(property, name),
      };
    });
  };
  return [
    ...list(paramsSchema(operation), 'path'),
    ...list(operation.querySchema, 'query'),
    ...headerParameters(operation),
  ];
}
