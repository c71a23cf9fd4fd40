// GET /v1/openapi.json: the contract as OpenAPI 3.1.
import { hash } from 'node:crypto';
import { openApi } from '@colophon/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config';
import type { IsIdentified } from '#http';
import { sendRepresentation } from './respond.ts';
import type { Representation } from './respond.ts';

function documentOf({ baseUrl, errorsBaseUrl }: Config): Representation {
  const bytes = Buffer.from(JSON.stringify(openApi({ baseUrl, errorsBaseUrl, version: 'v1' })));
  return {
    contentType: 'application/json; charset=utf-8',
    text: '',
    encoded: { bytes, sha1: hash('sha1', bytes, 'base64url') },
    shared: true,
    noindex: false,
  };
}

/**
 * Adds the path. The document is made when it is first asked for, and revalidated by its entity tag. A token is
 * looked up and counted as at an operation.
 */
export function addOpenApi(app: FastifyInstance, config: Config, isIdentified: IsIdentified): void {
  let document: Representation | undefined;
  app.get('/v1/openapi.json', async (request, reply) => {
    const shared = !(await isIdentified(request, reply));
    document ??= documentOf(config);
    return sendRepresentation(request, reply, { ...document, shared }, config);
  });
}

export const openApiRoutes = [{ method: 'GET', path: '/v1/openapi.json' }] as const;
