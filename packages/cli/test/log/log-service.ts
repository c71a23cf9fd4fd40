// A service that has nothing but a log: GET /v1/meta, and the files of a folder below /log/.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface LogService extends AsyncDisposable {
  readonly url: string;
  /** What the service says of its log. */
  readonly meta: { verifier_key: string; folder: string };
  readonly requests: string[];
  /** Called for each request, before it is answered. */
  asked: () => void;
}

/** Serves a log and names a key. Both can be replaced while it runs. */
export async function serveLog(folder: string, verifierKey: string): Promise<LogService> {
  const meta = { verifier_key: verifierKey, folder };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    service.asked();
    if (path === '/v1/meta') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ base_url: 'http://127.0.0.1', log: meta }));
      return;
    }
    const isFile = /^\/log\/(?:checkpoint|tile\/[\w/.]+)$/.test(path) && !path.includes('..');
    readFile(isFile ? join(meta.folder, path.slice('/log/'.length)) : '')
      .then((bytes) => response.writeHead(200).end(bytes))
      .catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const service: LogService = {
    url: `http://127.0.0.1:${port}`,
    meta,
    requests,
    asked: () => undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return service;
}
