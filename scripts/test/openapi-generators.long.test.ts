// Clients that others generate from the OpenAPI document: three generators, whose output strict TypeScript accepts.
// They are installed from the registry into a temporary folder. As dependencies they would bring a package named
// `typescript`, which npm would then also install in production (docs/decisions/0021).
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { openApi, operationList } from '@colophon/contract';

const run = promisify(execFile);
const compiler = resolve(import.meta.dirname, '../../node_modules/typescript-5/bin/tsc');
const generators = {
  'openapi-typescript': {
    version: '7.13.0',
    command: ['openapi-typescript', 'openapi.json', '-o', 'openapi-typescript/schema.ts'],
  },
  '@hey-api/openapi-ts': {
    version: '0.99.0',
    command: ['openapi-ts', '-i', 'openapi.json', '-o', '@hey-api/openapi-ts'],
  },
  'swagger-typescript-api': {
    version: '13.13.0',
    command: [
      'swagger-typescript-api',
      'generate',
      '-p',
      'openapi.json',
      '-o',
      'swagger-typescript-api',
      '-n',
      'api.ts',
    ],
  },
} as const;

const options = {
  strict: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  noEmit: true,
};

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generators-'));
  const baseUrl = 'https://colophon.example.org';
  const document = openApi({ baseUrl, errorsBaseUrl: `${baseUrl}/errors`, version: 'v1' });
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  // A generator reads from it how modules are named.
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  const wanted = Object.entries(generators).map(([name, { version }]) => `${name}@${version}`);
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted], {
    cwd: folder,
  });
});
after(() => rm(folder, { recursive: true, force: true }));

for (const [name, { command }] of Object.entries(generators))
  test(`${name}: its output has every operation and compiles`, async () => {
    await mkdir(join(folder, name), { recursive: true });
    const [program, ...words] = command;
    await run(join(folder, 'node_modules/.bin', program), words, { cwd: folder });
    await writeFile(
      join(folder, `${program}.json`),
      JSON.stringify({ compilerOptions: options, include: [name] }),
    );
    const compiled = await run(process.execPath, [compiler, '-p', `${program}.json`], {
      cwd: folder,
    }).catch((error: { readonly stdout: string }) => error);
    assert.equal(compiled.stdout, '');
    const files = globSync(`${name}/**/*.ts`, { cwd: folder });
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    for (const { name: operation } of operationList)
      assert.ok(
        texts.some((text) => new RegExp(`\\b${operation}\\b`).test(text)),
        operation,
      );
  });
