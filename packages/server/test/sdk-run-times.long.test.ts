// The published client on Deno, on Bun and in a worker of Cloudflare. npm fetches the three at fixed versions from
// its registry, so this is a long test; without the registry it is skipped.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { buildSdk } from '../../../scripts/sdk/build.ts';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { givenFor, journey, outcomeFor } from './sdk-journey.ts';

const run = promisify(execFile);
const packages = ['deno@2.9.6', 'bun@1.4.5', 'miniflare@4.20260730.0'];

const program = `
import { run } from './journey.js';
const words = (globalThis.Deno?.args ?? process.argv.slice(2));
console.log(JSON.stringify(await run(JSON.parse(words[0]))));`;

const worker = `
import { run } from './journey.js';
export default { fetch: async (request) => Response.json(await run(await request.json())) };`;

/** Node.js starts the worker, which is a process of its own. */
const host = `
import { Miniflare } from 'miniflare';
const worker = new Miniflare({
  modules: true,
  modulesRules: [{ type: 'ESModule', include: ['**/*.js'] }],
  scriptPath: 'client/worker.js',
  compatibilityDate: '2026-07-01',
});
const answer = await worker.dispatchFetch('http://localhost/', { method: 'POST', body: process.argv[2] });
console.log(await answer.text());
await worker.dispose();`;

let folder: string;
let server: TestServer;
let hasRegistry = false;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-times-'));
  hasRegistry = await run('npm', ['ping'], { timeout: 30_000 }).then(
    () => true,
    () => false,
  );
  if (!hasRegistry) return;
  await mkdir(join(folder, 'client'));
  await buildSdk(join(folder, 'client'));
  const files = {
    'package.json': '{"private":true,"type":"module"}',
    'host.mjs': host,
    'client/journey.js': journey,
    'client/program.js': program,
    'client/worker.js': worker,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages];
  await run('npm', install, { cwd: folder });
  server = await startServer();
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const places = {
  Deno: [
    `node_modules/@deno/linux-${process.arch}-glibc/deno`,
    'run',
    '--allow-net',
    'client/program.js',
  ],
  Bun: [`node_modules/@oven/bun-linux-${process.arch}/bin/bun`, 'run', 'client/program.js'],
  'a worker of Cloudflare': [process.execPath, 'host.mjs'],
} as const;

for (const [name, [file, ...words]] of Object.entries(places))
  test(`sign, publish, verify, upload, follow events: on ${name}`, async (context) => {
    if (!hasRegistry || process.platform !== 'linux') return context.skip('needs npm on Linux');
    const given = await givenFor(server);
    const command = file.startsWith('/') ? file : join(folder, file);
    // The package.json is that of the test. Deno would fetch what it names.
    const env = { ...process.env, DENO_NO_PACKAGE_JSON: '1' };
    const { stdout, stderr } = await run(command, [...words, JSON.stringify(given)], {
      cwd: folder,
      env,
    });
    assert.deepEqual(JSON.parse(stdout), outcomeFor(given), stderr);
  });
