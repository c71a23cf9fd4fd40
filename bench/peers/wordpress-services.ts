// The services that WordPress runs on: nginx, PHP-FPM with its opcode cache, and MariaDB, in one folder.
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '../parts/child.ts';
import type { Child } from '../parts/child.ts';
import { exists, runProgram } from './install.ts';
import { takeOver } from './running.ts';

const packages =
  'wordpress wordpress-theme-twentytwentythree mariadb-server php-fpm php-mysql php-gd php-mbstring php-xml nginx-light';
const source = '/usr/share/wordpress';
const php = '8.2';
const workers = 16;
const asRoot = process.getuid?.() === 0;

/** @throws Error that says what to install */
export async function checkInstalled(): Promise<void> {
  for (const path of [source, '/usr/sbin/mariadbd', `/usr/sbin/php-fpm${php}`, '/usr/sbin/nginx'])
    if (!(await exists(path)))
      throw new Error(
        `${path} is missing. Run: apt-get install --no-install-recommends ${packages}. To leave WordPress out, name the peers: BENCH_PEERS=colophon,pds,ghost,directus,nginx`,
      );
}

export interface Site {
  readonly folder: string;
  readonly port: number;
  readonly address: string;
}

/** Settings for production: its scheduler is not started by readers, and nothing is updated meanwhile. */
const configuration = ({ folder, address }: Site) => `<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'wordpress');
define('DB_PASSWORD', 'wordpress');
define('DB_HOST', 'localhost:${folder}/mariadb.sock');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HOME', '${address}');
define('WP_SITEURL', '${address}');
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) { define('ABSPATH', __DIR__ . '/'); }
require_once ABSPATH . 'wp-settings.php';
`;

/** Without TLS, tokens are refused unless a plugin allows them. */
const plugin = `<?php
add_filter('wp_is_application_passwords_available', '__return_true');
add_filter('wp_is_comment_flood', '__return_false', 99);
`;

const nginxConfiguration = ({ folder, port }: Site) => `
${asRoot ? 'user www-data;' : ''}
worker_processes 2;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log warn;
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  client_max_body_size 100m;
  client_body_temp_path ${folder}/body;
  fastcgi_temp_path ${folder}/fastcgi;
  proxy_temp_path ${folder}/proxy;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/wordpress;
    index index.php;
    location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ {
      include /etc/nginx/fastcgi.conf;
      fastcgi_param HTTP_AUTHORIZATION $http_authorization;
      fastcgi_pass unix:${folder}/php.sock;
    }
  }
}
`;

const fpmConfiguration = ({ folder }: Site) => `
[global]
error_log = ${folder}/php.log
[www]
${asRoot ? 'user = www-data\ngroup = www-data\nlisten.owner = www-data' : ''}
listen = ${folder}/php.sock
pm = static
pm.max_children = ${workers}
php_admin_value[post_max_size] = 100M
php_admin_value[memory_limit] = 512M
php_admin_value[opcache.validate_timestamps] = 0
`;

/** Copies the program and writes all settings. */
export async function layOut(site: Site): Promise<void> {
  const { folder } = site;
  await chmod(folder, 0o755);
  const program = join(folder, 'wordpress');
  await cp(source, program, {
    recursive: true,
    dereference: true,
    // A link to settings of Apache.
    filter: (path) => !path.endsWith('/.htaccess'),
  });
  await writeFile(join(program, 'wp-config.php'), configuration(site));
  await mkdir(join(program, 'wp-content/mu-plugins'), { recursive: true });
  await writeFile(join(program, 'wp-content/mu-plugins/bench.php'), plugin);
  await mkdir(join(program, 'wp-content/uploads'), { recursive: true });
  await writeFile(join(folder, 'nginx.conf'), nginxConfiguration(site));
  await writeFile(join(folder, 'php.conf'), fpmConfiguration(site));
  await mkdir(join(folder, 'data'));
  if (!asRoot) return;
  await runProgram('chown', ['-R', 'www-data', join(program, 'wp-content')], folder);
  await runProgram('chown', ['mysql', folder, join(folder, 'data')], folder);
}

const databaseArguments = ({ folder }: Site) => [
  '--no-defaults',
  `--datadir=${folder}/data`,
  ...(asRoot ? ['--user=mysql'] : []),
];

/** Starts a service that is ready when its socket is there. */
const startService = (folder: string, socket: string, command: string, args: readonly string[]) =>
  startProgram({
    command,
    args,
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    url: '',
    ready: () => exists(join(folder, socket)),
  });

/** MariaDB with its defaults, which make every commit durable, and 512 MiB of buffers. */
export const startDatabase = (site: Site) =>
  startService(site.folder, 'mariadb.sock', '/usr/sbin/mariadbd', [
    ...databaseArguments(site),
    `--socket=${site.folder}/mariadb.sock`,
    `--pid-file=${site.folder}/mariadb.pid`,
    '--skip-networking',
    '--innodb-buffer-pool-size=512M',
  ]);

const startPhp = ({ folder }: Site) =>
  startService(folder, 'php.sock', `/usr/sbin/php-fpm${php}`, [
    '--nodaemonize',
    '--fpm-config',
    join(folder, 'php.conf'),
  ]);

const startNginx = ({ folder, address }: Site) =>
  startProgram({
    command: '/usr/sbin/nginx',
    args: ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    url: address,
    ready: '/',
  });

export async function makeDatabase(site: Site): Promise<void> {
  const { folder } = site;
  const without = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  await runProgram('mariadb-install-db', [...databaseArguments(site), ...without], folder);
  await using _database = await startDatabase(site);
  const statements = [
    'create database wordpress character set utf8mb4',
    `create user wordpress@localhost identified by 'wordpress'`,
    'grant all on wordpress.* to wordpress@localhost',
  ];
  const socket = `--socket=${folder}/mariadb.sock`;
  await runProgram('mariadb', ['-u', 'root', socket, '-e', statements.join('; ')], folder);
}

/** Starts all three. The time until they serve is that of all of them. */
export async function startAll(site: Site): Promise<Child & { readonly pids: readonly number[] }> {
  await using stack = new AsyncDisposableStack();
  const since = performance.now();
  const database = stack.use(await startDatabase(site));
  const fpm = stack.use(await startPhp(site));
  const web = stack.use(await startNginx(site));
  return {
    pid: web.pid,
    pids: [database.pid, fpm.pid, web.pid],
    url: site.address,
    startSeconds: (performance.now() - since) / 1000,
    ...takeOver(stack),
  };
}
