// Which routes of the router were answered, so that a new page without a request is noticed.
import type { TestServer } from '../harness.ts';
import { pathsOfRouter } from '../router-paths.ts';

/** Each is the operation of the same path below `/v1`, by a session in place of a token. */
const isOfSessions = (path: string) => path.startsWith('/-/v1/');

/** Where nothing is shown: the answer leads elsewhere. */
const moves = ['/account', '/comments/:id', '/moderation/next'];

/** The routes that were answered, with a status below 300, or by a form or a move with one below 400. */
async function listAnswered(server: TestServer): Promise<ReadonlySet<string>> {
  const { body } = await server.ask('GET', '/metrics');
  const lines = String(body).matchAll(
    /^http_request_duration_seconds_count\{method="(\w+)",route="([^"]+)",status="(\d+)"\}/gm,
  );
  const routes = [...lines].flatMap(([, method = '', route = '', status = '']) => {
    const most = method === 'GET' && !moves.includes(route) ? 300 : 400;
    return Number(status) < most ? [`${method} ${route}`] : [];
  });
  return new Set(routes);
}

/** Returns the routes that no request was answered by. */
export async function listMissedPaths(server: TestServer): Promise<readonly string[]> {
  const known = await listAnswered(server);
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
    .flatMap((method) =>
      pathsOfRouter(server, method)
        .filter((path) => !isOfSessions(path))
        .map((path) => `${method} ${path}`),
    )
    .filter((route) => !known.has(route));
}
