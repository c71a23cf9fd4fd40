// Paths that show nothing that participants wrote, for the test that every path is one or the other.
import { ownPages } from './own-pages.ts';

/** Paths that say nothing of what participants wrote, or have the record itself. */
export const tellingNothing: readonly string[] = [
  'readMeta',
  'GET /-/join/username',
  'GET /robots.txt',
  'GET /llms.txt',
  ...['', '.md', '/{page}', '/api', '/api.md', '/api/{operation}'].map(
    (path) => `GET /docs${path}`,
  ),
  'GET /assets/{name}',
  'GET /favicon.ico',
  'GET /errors/{name}',
  'GET /errors/style.css',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /transparency',
  // The log has ids and hashes only. The router writes only the last part of /log/tile/*.
  'GET /log/checkpoint',
  'GET /*',
  ...Object.keys(ownPages).map((path) => `GET ${path}`),
  'GET /media/{id}',
  // They have texts of before on purpose; test/web/visibility.test.ts asks who reads them.
  'GET /@{username}/{place}/revisions',
  'GET /@{username}/{place}/revisions/{revision_id}',
];
