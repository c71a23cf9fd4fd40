// WordPress from Debian's packages.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../packages/server/src/http/index.ts';
import { ask, askJson } from './ask.ts';
import { documents } from './jobs.ts';
import { makeArticles, reading } from './reading.ts';
import { takeOver, temporaryFolder } from './running.ts';
import type { Side, Work } from './side.ts';
import type { Texts } from './texts.ts';
import {
  checkInstalled,
  layOut,
  makeDatabase,
  startAll,
  startDatabase,
} from './wordpress-services.ts';
import type { Site } from './wordpress-services.ts';

/** Returns the headers of its administrator. */
async function install(site: Site, { textOf }: Texts) {
  await using _database = await startDatabase(site);
  const file = join(site.folder, 'documents.jsonl');
  const lines = Array.from({ length: documents }, (_, n) => JSON.stringify(textOf(n)));
  await writeFile(file, lines.join('\n'));
  const { stdout } = await promisify(execFile)('php', [
    join(import.meta.dirname, 'wordpress-setup.php'),
    join(site.folder, 'wordpress'),
    site.address,
    file,
  ]);
  const { password, version } = JSON.parse(stdout) as Readonly<Record<string, string>>;
  const credentials = Buffer.from(`bench:${password}`).toString('base64');
  return { version: version ?? '', headers: { authorization: `Basic ${credentials}` } };
}

interface Place {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const api = '/wp-json/wp/v2';

async function count({ url, headers }: Place, path: string): Promise<number> {
  const response = await ask(`${url}${api}/${path}&per_page=1&_fields=id`, { headers });
  return Number(response.headers.get('x-wp-total'));
}

function writes(place: Place, texts: Texts, post: number): Side['works'] {
  const create = (path: string, counted: string, body: unknown): Work => ({
    steps: [
      {
        method: 'POST',
        paths: [`${api}/${path}`],
        headers: { ...place.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    ],
    stored: () => count(place, counted),
  });
  const article = { title: `${texts.title} {n}`, content: `{n} ${texts.article}` };
  const upload = (bodyFile: string): Work => ({
    steps: [
      {
        method: 'POST',
        paths: [`${api}/media`],
        headers: {
          ...place.headers,
          'content-type': 'image/png',
          'content-disposition': 'attachment; filename="{run}-{n}.png"',
        },
        bodyFile,
      },
    ],
    stored: () => count(place, 'media?context=view'),
  });
  return {
    create: create('posts', 'posts?status=draft', { ...article, status: 'draft' }),
    publish: create('posts', 'posts?status=publish', { ...article, status: 'publish' }),
    comment: create('comments', 'comments?status=approve', {
      post,
      content: `{run} {n} ${texts.comment}`,
    }),
    upload1: upload(texts.files.upload1),
    upload20: upload(texts.files.upload20),
  };
}

async function worksOf(place: Place, texts: Texts): Promise<Side['works']> {
  const { url, headers } = place;
  const body = { title: texts.title, content: texts.article, status: 'publish' };
  const made = await makeArticles(() =>
    askJson<{ readonly id: number; readonly link: string }>(`${url}${api}/posts`, {
      method: 'POST',
      headers,
      body,
    }),
  );
  const [{ id, link }] = made as [(typeof made)[number]];
  const one = made.map((post) => `${api}/posts/${post.id}`);
  return {
    read1: reading(one, texts.title),
    read: reading(one, texts.title),
    readWithToken: reading(one, texts.title, headers),
    read128: reading(one, texts.title),
    page: reading([`${api}/posts?per_page=20`], '"id"'),
    html: reading([new URL(link).pathname], texts.title),
    front: reading(['/'], '</html>'),
    search: reading(
      texts.queries.map((query) => `${api}/posts?search=${query}&per_page=20`),
      '"id"',
    ),
    ...writes(place, texts, id),
  };
}

async function versions(wordpress: string): Promise<string> {
  const first = async (command: string, args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(command, args);
    return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? '';
  };
  const maria = await first('/usr/sbin/mariadbd', ['--version']);
  return `wordpress ${wordpress}, PHP-FPM ${await first('php', ['--version'])}, MariaDB ${maria}, nginx`;
}

/** Sets it up in a folder of its own with `documents` posts, starts it, and says what it can do. */
export async function startWordPress(texts: Texts): Promise<Side> {
  await checkInstalled();
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder(stack);
  const port = await freePort('127.0.0.1');
  const site = { folder, port, address: `http://127.0.0.1:${port}` };
  await layOut(site);
  await makeDatabase(site);
  const { version, headers } = await install(site, texts);
  let all = await startAll(site);
  stack.defer(() => all[Symbol.asyncDispose]());
  return {
    name: 'WordPress',
    version: await versions(version),
    url: site.address,
    restart: async () => {
      await all[Symbol.asyncDispose]();
      all = await startAll(site);
      return all.startSeconds;
    },
    roots: () => all.pids,
    works: await worksOf({ url: site.address, headers }, texts),
    ...takeOver(stack),
  };
}
