// Generated requests without a body whose path, query, method or headers are odd.
import fc from 'fast-check';
import { ownHeaders } from './json-cases.ts';
import type { Make } from './json-cases.ts';
import { oddParameterNames, oddParameters, oddSegments } from './odd-http.ts';

const readPaths: readonly string[] = [
  '/v1/articles',
  '/v1/articles/ID',
  '/v1/articles/ID/revisions',
  '/v1/articles/ID/revisions/REV',
  '/v1/articles/ID/processing',
  '/v1/tokens',
  '/v1/me',
  '/v1/meta',
  '/v1/openapi.json',
  '/errors/SEGMENT',
  '/healthz',
  '/readyz',
  '/v1/SEGMENT',
  '/SEGMENT',
  '/v1/articles/SEGMENT',
  '/v1/articles/SEGMENT/revisions',
  '/v1/articles/ID/revisions/SEGMENT',
  '/v1/tokens/SEGMENT',
];

const parameter = fc
  .tuple(fc.constantFrom(...oddParameterNames), fc.constantFrom(...oddParameters))
  .map(([name, value]) => `${name}=${value}`);
const query = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '?',
      '?&',
      '?=',
      '?&&=&',
      '?a',
      '??limit=1',
      '?limit',
      '?limit=1&limit=2',
      '?limit=1;limit=2',
      '?#',
      '?%',
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .array(parameter, { minLength: 1, maxLength: 3 })
      .map((all) => `?${all.join('&')}`),
  },
);
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HEAD',
      'DELETE',
      'POST',
      'PATCH',
      'PUT',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'PURGE',
    ),
  },
);

/** A request whose path, query, method or headers are odd. */
export const oddRead: fc.Arbitrary<Make> = fc
  .tuple(
    method,
    fc.constantFrom(...readPaths),
    fc.constantFrom(...oddSegments),
    query,
    ownHeaders,
    fc.boolean(),
  )
  .map(([verb, template, segment, search, header, anonymous]): Make => (subject) => {
    const path = template
      .replace('ID', subject.articleId)
      .replace('REV', subject.revisionId)
      .replace('SEGMENT', segment);
    const headers = anonymous ? {} : { authorization: `Bearer ${subject.token}` };
    const kept = path.replaceAll(/[^\x21-\x7e]/g, '');
    // The one article that everybody uses must live on.
    const safe = verb === 'DELETE' && kept.endsWith(subject.articleId) ? 'GET' : verb;
    return {
      method: safe,
      path: kept + search,
      headers: { ...headers, ...(header ? { [header[0]]: header[1] } : {}) },
      body: undefined,
    };
  });
