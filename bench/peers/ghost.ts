// Ghost with its own theme, in production mode, on SQLite.
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/http/index.ts';
import { startProgram } from '../parts/child.ts';
import { ask, askJson } from './ask.ts';
import { installNode, nodeVersion, unpackPackage } from './install.ts';
import { makeArticles, reading } from './reading.ts';
import { takeOver, restartable, temporaryFolder } from './running.ts';
import type { Side, Work } from './side.ts';
import type { Texts } from './texts.ts';
import { uploadForm } from './upload-form.ts';

const version = '6.65.0';
const user = { username: 'bench@example.org', password: 'a-long-Secret-4711' };
/** Each is made by its own API, a dozen a second: more would take too long, and fewer only help it. */
const posts = 200;
const unlimited = { freeRetries: 1e9 };

/** Its settings: no limits, no calls to elsewhere, no mail to confirm a sign-in; all else as it comes. */
function settings(site: string, port: number) {
  return {
    url: `http://127.0.0.1:${port}`,
    server: { host: '127.0.0.1', port },
    database: {
      client: 'better-sqlite3',
      connection: { filename: join(site, 'content/data/ghost.db') },
      useNullAsDefault: true,
    },
    paths: { contentPath: join(site, 'content') },
    mail: { transport: 'stub' },
    logging: { level: 'fatal', transports: ['stdout'] },
    privacy: { useUpdateCheck: false, useGravatar: false, useRpcPing: false },
    security: { staffDeviceVerification: false },
    spam: Object.fromEntries(
      ['user_login', 'content_api_key', 'global_block', 'global_reset', 'private_block'].map(
        (name) => [name, unlimited],
      ),
    ),
  };
}

/** Lays out a site as its own installer does: settings, content, and `current` for the program. */
async function makeSite(site: string, program: string, port: number): Promise<void> {
  for (const name of ['data', 'images', 'files', 'media', 'logs', 'settings', 'public', 'adapters'])
    await mkdir(join(site, 'content', name), { recursive: true });
  await cp(join(program, 'content/themes'), join(site, 'content/themes'), { recursive: true });
  await symlink(program, join(site, 'current'));
  await writeFile(
    join(site, 'config.production.json'),
    JSON.stringify(settings(site, port), null, 2),
  );
}

/** Signs in; shortly after its first start, Ghost does not know a session that it has just made. */
async function openSession(admin: string, origin: Readonly<Record<string, string>>) {
  for (let tries = 10; ; tries -= 1) {
    const session = await ask(`${admin}/session`, { method: 'POST', headers: origin, body: user });
    const headers = { ...origin, cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '' };
    const known = await fetch(`${admin}/users/me/`, { headers });
    await known.arrayBuffer();
    if (known.ok || tries === 1) return headers;
    await wait(1000);
  }
}

/** Signs the owner up and in; returns the headers of the Admin API and the key of the Content API. */
async function signIn(url: string) {
  const admin = `${url}/ghost/api/admin`;
  const origin = { origin: url };
  const setup = [
    { name: 'Bench', email: user.username, password: user.password, blogTitle: 'Bench' },
  ];
  await ask(`${admin}/authentication/setup/`, { method: 'POST', headers: origin, body: { setup } });
  const headers = await openSession(admin, origin);
  const { integrations } = await askJson<{
    readonly integrations: readonly [
      { readonly api_keys: readonly { readonly type: string; readonly secret: string }[] },
    ];
  }>(`${admin}/integrations/?include=api_keys`, {
    method: 'POST',
    headers,
    body: { integrations: [{ name: 'bench' }] },
  });
  const key = integrations[0].api_keys.find(({ type }) => type === 'content')?.secret ?? '';
  return { headers, key };
}

interface Post {
  readonly id: string;
  readonly slug: string;
}

interface Place {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string;
}

const route = '/ghost/api/admin/posts/?source=html';

async function publish({ url, headers }: Place, title: string, html: string): Promise<Post> {
  const body = { posts: [{ title, html, status: 'published' }] };
  const made = await askJson<{ readonly posts: readonly [Post] }>(url + route, {
    method: 'POST',
    headers,
    body,
  });
  return made.posts[0];
}

async function countPosts({ url, headers }: Place): Promise<number> {
  const { meta } = await askJson<{
    readonly meta: { readonly pagination: { readonly total: number } };
  }>(`${url}/ghost/api/admin/posts/?limit=1&fields=id`, { headers });
  return meta.pagination.total;
}

function worksOf(place: Place, texts: Texts, made: readonly Post[]): Side['works'] {
  const create = (status: string): Work => ({
    steps: [
      {
        method: 'POST',
        paths: [route],
        headers: { ...place.headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          posts: [{ title: `${texts.title} {n}`, html: `<p>{n} ${texts.article}</p>`, status }],
        }),
      },
    ],
    stored: () => countPosts(place),
  });
  const upload = (file: string): Work => ({
    steps: [uploadForm('/ghost/api/admin/images/upload/', file, place.headers)],
  });
  const read = reading(
    made.map(({ id }) => `/ghost/api/content/posts/${id}/?key=${place.key}`),
    texts.title,
  );
  return {
    read1: read,
    read,
    read128: read,
    page: reading([`/ghost/api/content/posts/?key=${place.key}&limit=20`], '"posts"'),
    html: reading([`/${made[0]?.slug ?? ''}/`], texts.title),
    front: reading(['/'], '</html>'),
    create: create('draft'),
    publish: create('published'),
    upload1: upload(texts.files.upload1),
    upload20: upload(texts.files.upload20),
  };
}

/** Installs it, starts it with 200 posts, and says what it can do. It has no search and no comments by API. */
export async function startGhost(texts: Texts): Promise<Side> {
  const node = await installNode(nodeVersion);
  const program = await unpackPackage(
    { name: `ghost-${version}`, packages: [`ghost@${version}`], native: ['better-sqlite3'] },
    node,
  );
  await using stack = new AsyncDisposableStack();
  const site = await temporaryFolder(stack);
  const port = await freePort('127.0.0.1');
  await makeSite(site, program, port);
  const server = stack.use(
    await restartable(() =>
      startProgram({
        command: node.program,
        args: ['current/index.js'],
        cwd: site,
        env: { ...node.env, NODE_ENV: 'production' },
        url: `http://127.0.0.1:${port}`,
        ready: '/',
      }),
    ),
  );
  const place = { url: server.url, ...(await signIn(server.url)) };
  for (let n = 0; n < posts; n += 1) {
    const { title, content } = texts.textOf(n);
    await publish(place, title, `<p>${content}</p>`);
  }
  const made = await makeArticles(() => publish(place, texts.title, `<p>${texts.article}</p>`));
  return {
    name: 'Ghost',
    version: `ghost ${version}, SQLite, Node.js ${node.version}`,
    url: server.url,
    restart: server.restart,
    roots: server.roots,
    works: worksOf(place, texts, made),
    ...takeOver(stack),
  };
}
