// A file from nginx: what a read could cost at least.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/http/index.ts';
import { startProgram } from '../parts/child.ts';
import { reading } from './reading.ts';
import { takeOver, restartable, temporaryFolder } from './running.ts';
import type { Side } from './side.ts';
import type { Texts } from './texts.ts';

const configuration = (folder: string, port: number) => `
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log warn;
events { worker_connections 1024; }
http {
  access_log off;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/files;
    keepalive_requests 1000000;
  }
}
`;

/** Serves the article as one file. */
export async function startStaticFile({ title, article }: Texts): Promise<Side> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder(stack);
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'files'));
  await writeFile(join(folder, 'files/article.json'), JSON.stringify({ title, content: article }));
  const port = await freePort('127.0.0.1');
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port));
  const server = stack.use(
    await restartable(() =>
      startProgram({
        command: '/usr/sbin/nginx',
        args: ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'],
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '' },
        url: `http://127.0.0.1:${port}`,
        ready: '/article.json',
      }),
    ),
  );
  const read = reading(['/article.json'], title);
  return {
    name: 'a file (nginx)',
    version: 'nginx, one worker',
    url: server.url,
    restart: server.restart,
    roots: server.roots,
    works: { read1: read, read, read128: read },
    ...takeOver(stack),
  };
}
