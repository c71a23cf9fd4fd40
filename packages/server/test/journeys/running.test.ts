// docs/running.md: its commands as they are written there, run by a shell in a checkout of the project.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { drawSample } from '../faults/sampled.ts';
import { seed } from '../seed.ts';
import { makePlace, runMark } from '../faults/server-process.ts';
import type { Place } from '../faults/server-process.ts';
import { until } from '../throw-away-database.ts';

const root = join(import.meta.dirname, '../../../..');
const page = await readFile(join(root, 'docs/running.md'), 'utf8');
const options = {
  timeout: 600_000,
  skip: process.platform === 'win32' && 'the commands are written for a shell of Linux or macOS',
};
const noAge =
  spawnSync('age-keygen', ['--version']).error !== undefined && 'needs age: apt-get install age';

/** The only block of shell lines of the page that contains a text. */
function block(part: string): string {
  const all = Array.from(page.matchAll(/```sh\n([\s\S]*?)```/g), ([, lines = '']) => lines);
  const [lines, ...others] = all.filter((one) => one.includes(part));
  assert.ok(lines !== undefined && others.length === 0, part);
  return lines;
}

let place: Place;
let serving: Serving;
before(async () => {
  if (options.skip !== false) return;
  place = await makePlace();
  for (const name of ['package.json', 'packages', 'scripts', 'node_modules'])
    await symlink(join(root, name), join(place.folder, name));
  serving = await serve('npm start', 2);
});
after(() => place?.[Symbol.asyncDispose]());

function startShell(lines: string, processes = 1) {
  const { PATH = '' } = process.env;
  // DATA_DIR is ./data, as it is in a checkout.
  const settings = {
    PORT: String(place.port),
    LIMITS: 'off',
    DISK_RESERVE: '0',
    PROCESSES: String(processes),
  };
  return spawn('bash', ['-euo', 'pipefail', '-c', lines], {
    cwd: place.folder,
    env: { PATH, HOME: place.folder, ...runMark, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs lines to their end, which is a success. Returns what they print. */
async function run(lines: string): Promise<string> {
  const child = startShell(lines);
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.deepEqual((await ended)[0], 0, `${lines}\n${out}\n${err}`);
  return out;
}

interface Serving {
  /** What npm and the server have printed. */
  log(): string;
  stop(): Promise<void>;
}

/** Runs lines whose last one is `npm start`, until the server is ready. */
async function serve(lines: string, processes = 1): Promise<Serving> {
  const child = startShell(lines, processes);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
  const ended = once(child, 'close');
  await until('the server is ready', async () => {
    assert.equal(child.exitCode, null, printed);
    const answer = await fetch(`${place.baseUrl}/readyz`).catch(() => undefined);
    return answer?.status === 200;
  });
  const stop = async () => {
    if (child.exitCode === null) await run('kill "$(cat data/server.lock)"');
    await ended;
  };
  return { log: () => printed, stop };
}

async function send(method: string, path: string, token?: string, body?: object) {
  const response = await fetch(place.baseUrl + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
}

/** An account with a published article. */
async function publish(username: string): Promise<string> {
  const { body: human } = await send('POST', '/v1/humans', undefined, { username });
  const content = { title: 'Kept', content: 'A text that outlives its machine.' };
  const { body: article } = await send('POST', '/v1/articles', human.token, content);
  const published = await send('POST', `/v1/articles/${article.id}/publish`, human.token, {});
  assert.equal(published.status, 200, JSON.stringify(published.body));
  return article.id as string;
}

async function statusOf(article: string): Promise<number> {
  return (await send('GET', `/v1/articles/${article}`)).status;
}

/** The table of the operator's commands: those that can run in any order, with the words that they are given. */
function operatorsCommands(article: string): readonly (readonly [string, readonly string[]])[] {
  const [, table = ''] = page.split("## Operator's commands\n");
  const [rows = ''] = table.split('\n## ');
  const written = Array.from(rows.matchAll(/^\| `([^`]+)`/gm), ([, usage = '']) => usage);
  const words = {
    USERNAME: 'ada-runs',
    'SCOPE…': 'admin:moderate',
    LEVEL: '2',
    ARTICLE_ID: article,
  };
  const given = (usage: string) =>
    Object.entries({ ...words, '[REASON_CODE]': 'spam', REASON_CODE: 'court_order' })
      .reduce((line, [word, value]) => line.replace(word, value), usage)
      .replaceAll(/ \[[^\]]*\]/g, '');
  const linesOf = (name: string) => written.filter((usage) => usage.startsWith(name)).map(given);
  return ['grant', 'trust', 'suspend', 'legal-removal', 'verify-audit', 'doctor'].map((name) => {
    assert.notEqual(linesOf(name).length, 0, name);
    return [name, linesOf(name)] as const;
  });
}

test(
  'processes are replaced without a failed request, and the operator’s commands run beside them',
  options,
  async () => {
    const article = await publish('ada-runs');
    let replaced = false;
    const asking = (async () => {
      const statuses = new Set<number>();
      while (!replaced) {
        statuses.add(await statusOf(article));
        await wait(20);
      }
      return [...statuses];
    })();
    try {
      await run(block('kill -USR2'));
      await until('every process is replaced', async () =>
        serving.log().includes('Every process was replaced by a new one.'),
      );
    } finally {
      replaced = true;
    }
    assert.deepEqual(await asking, [200]);

    const all = operatorsCommands(article);
    for (const [name, lines] of drawSample(all, 1, 'operator')) {
      for (const line of lines) await run(`npm run --silent admin -- ${line}`);
      assert.equal(await statusOf(article), 200, `${name}, SEED=${seed}`);
    }
    await run(block('reindex search'));
  },
);

test('a backup is restored on an empty folder, and serves what it had', options, async () => {
  const article = await publish('ben-runs');
  await run(block('backup colophon.tar\n'));
  const later = await publish('too-late-runs');
  await serving.stop();
  await rename(join(place.folder, 'data'), join(place.folder, 'data-lost'));
  await run('mkdir -p data/log\ncp data-lost/log/key.pem data/log/');

  serving = await serve(block('restore colophon.tar\n'));
  assert.equal(await statusOf(article), 200);
  assert.equal(await statusOf(later), 404);
  await serving.stop();
});

test(
  'an encrypted backup is restored with the key',
  { ...options, skip: options.skip || noAge },
  async () => {
    const [create = '', backup = '', verify = '', restore = ''] = block('age-keygen').split('\n');
    await run(create);
    const recipient = (await run('age-keygen -y key.txt')).trim();
    await run(`${backup.replace('age1…', recipient)}\n${verify}`);
    await rename(join(place.folder, 'data'), join(place.folder, 'data-before'));
    await run(restore);
    const decrypted = 'age -d -i key.txt colophon.tar.age';
    assert.ok(page.includes(`\`${decrypted}\``));
    await run(`mkdir plain
${decrypted} | tar -x -C plain
cd plain
sha256sum -c checksums/*`);
  },
);
