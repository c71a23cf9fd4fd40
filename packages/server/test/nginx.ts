// A real nginx for a test, with the configuration of deploy/nginx; a machine without nginx skips such tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram } from './installed-programs.ts';
import { selfSigned } from './self-signed.ts';

const program = findProgram('nginx');

/** For `skip`: false where nginx can be started, else the reason. */
export const withoutNginx: string | false =
  program === undefined && 'no nginx on this machine: install it to run this test';

const shipped = join(import.meta.dirname, '../../../deploy/nginx/colophon.conf');

/** Names that are replaced in the configuration, as an operator does. */
export interface Site {
  /** `host:port` of each web process. */
  readonly upstreams: readonly string[];
  readonly name: string;
  readonly mediaName: string;
  readonly port: number;
  readonly plainPort: number;
}

export interface TestNginx extends AsyncDisposable {
  /** The certificate, which no authority signed. */
  readonly certificate: string;
  /** Of the main process, whose child works. */
  readonly pid: number;
  /** Its address, with TLS. */
  readonly baseUrl: string;
  /** Its error log. */
  complaint(): string;
}

async function writeCertificate(folder: string, { name, mediaName }: Site): Promise<string> {
  const { certificate, key } = await selfSigned([name, mediaName]);
  await writeFile(join(folder, 'privkey.pem'), key, { mode: 0o600 });
  await writeFile(join(folder, 'fullchain.pem'), certificate);
  return certificate;
}

/** Changes what an operator changes: names, ports, certificates and upstream servers. */
function adapt(text: string, folder: string, site: Site): string {
  return text
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replaceAll(/listen 443/g, `listen 127.0.0.1:${site.port}`)
    .replaceAll(/listen 80/g, `listen 127.0.0.1:${site.plainPort}`)
    .replaceAll('/etc/ssl/example.org', folder)
    .replace('/var/cache/colophon', join(folder, 'cache'))
    .replaceAll('server_name example.org', `server_name ${site.name}`)
    .replaceAll('server_name media.example.org', `server_name ${site.mediaName}`)
    .replace(
      /server 127\.0\.0\.1:8080 max_fails=0;/,
      site.upstreams.map((one) => `server ${one};`).join(' '),
    );
}

async function listens(port: number, over: () => boolean): Promise<void> {
  for (;;) {
    if (over()) return;
    const socket = connect(port, '127.0.0.1');
    const found = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (found) return;
    await wait(20);
  }
}

const main = (folder: string) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/colophon.conf;
}
`;

/** Starts nginx in `parent`, which its workers must be able to enter. */
export async function startNginx(parent: string, site: Site): Promise<TestNginx> {
  const folder = join(parent, 'nginx');
  await mkdir(folder);
  await chmod(folder, 0o755);
  const certificate = await writeCertificate(folder, site);
  await writeFile(
    join(folder, 'colophon.conf'),
    adapt(await readFile(shipped, 'utf8'), folder, site),
  );
  await writeFile(join(folder, 'nginx.conf'), main(folder));
  const words = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  const child = spawn(program ?? '', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const reap = () => void child.kill('SIGTERM');
  process.once('exit', reap);
  let complaint = '';
  let over = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const ended = once(child, 'close').then(() => (over = true));
  await listens(site.port, () => over);
  if (over) throw new Error(`nginx ended: ${complaint}`);
  return {
    certificate,
    pid: child.pid ?? 0,
    baseUrl: `https://${site.name}:${site.port}`,
    complaint: () => complaint,
    [Symbol.asyncDispose]: async () => {
      process.off('exit', reap);
      child.kill('SIGTERM');
      await ended;
    },
  };
}
