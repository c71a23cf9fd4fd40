// Every code sample of the reference runs as it stands, on objects that are prepared for it.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openApi, operationList } from '@colophon/contract';
import type { AnyOperation, OperationName } from '@colophon/contract';
import { isId } from '#lib/id';
import { startServer } from './harness.ts';
import { pngOf, upload } from './media-files.ts';
import { openWorld, pathOf, samples } from './samples.ts';
import type { Sample, World } from './samples.ts';

const server = await startServer();
const world = await openWorld(server);
const folder = await mkdtemp(join(tmpdir(), 'samples-'));
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

before(async () => {
  await writeFile(join(folder, 'heron.png'), pngOf(2, 2));
  // Samples import the client by its name.
  await symlink(
    resolve(import.meta.dirname, '../../../node_modules'),
    join(folder, 'node_modules'),
  );
});

type Samples = readonly { readonly lang: string; readonly source: string }[];

const document = openApi({ ...server.services.config, version: 'v1' }) as {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly 'x-codeSamples': Samples }>>>
  >;
};

function sourceOf({ path, method }: AnyOperation, lang: string): string {
  const all = document.paths[path]?.[method.toLowerCase()]?.['x-codeSamples'] ?? [];
  return all.find((one) => one.lang === lang)?.source ?? assert.fail(`${path} has no ${lang}`);
}

/** Members that name or prove something which only one request can, beside ids. */
const single = ['username', 'public_key', 'nonce', 'signature'];

/** The values of the prepared objects, in place of those that the sample made up. */
async function prepared(operation: AnyOperation): Promise<Sample> {
  const sample = await samples[operation.name as OperationName](world);
  if (operation.name !== 'updateArticle') return sample;
  const image = await upload(server, world.human, 'image', pngOf(2, 2));
  return { ...sample, body: { ...sample.body, featured_media_id: image.body.id } };
}

/** Puts the ids of the prepared objects into the text of a sample, and leaves all else. */
function placed(source: string, { body = {} }: Sample): string {
  return Object.entries(body).reduce((text, [name, value]) => {
    if (typeof value !== 'string' || !(isId(value) || single.includes(name))) return text;
    const member = new RegExp(`("?\\b${name}"?: (["']))[^"']*\\2`);
    return text.replace(member, (_, start: string, quote: string) => start + value + quote);
  }, source);
}

/** The revision that an article has, for a precondition. */
async function newest({ human }: World, id: string | undefined): Promise<string> {
  const { body } = await server.ask('GET', `/v1/articles/${id}/revisions`, { token: human.token });
  return body.items[0].revision_id;
}

/** bash prints the status alone; what the command writes goes to a file. */
const prelude = `command -v uuidgen >/dev/null || uuidgen() { cat /proc/sys/kernel/random/uuid; }
curl() { command curl -s -o /dev/null -w '%{http_code}' "$@"; }
`;

async function runInShell(source: string, token: string): Promise<number> {
  const env = { ...process.env, TOKEN: token };
  const options = { cwd: folder, env };
  const { stdout } = await promisify(execFile)('bash', ['-c', prelude + source], options);
  return Number(stdout);
}

/** Runs a program in this process, and answers the status of each of its requests. */
async function runHere(file: string, token: string): Promise<readonly number[]> {
  const { fetch: send } = globalThis;
  const statuses: number[] = [];
  process.env['TOKEN'] = token;
  globalThis.fetch = async (...asked) => {
    const response = await send(...asked);
    statuses.push(response.status);
    return response;
  };
  try {
    await import(pathToFileURL(file).href);
  } finally {
    globalThis.fetch = send;
    delete process.env['TOKEN'];
  }
  return statuses;
}

const noShell = ['bash', 'curl'].some((name) => spawnSync(name, ['--version']).status !== 0)
  ? 'needs bash and curl'
  : false;

const declared = ({ answers }: AnyOperation) => Object.keys(answers).map(Number);

for (const operation of operationList) {
  const { name, path, params } = operation;

  test(`${name}: the command is answered as declared`, { skip: noShell }, async () => {
    const sample = await prepared(operation);
    const shown = placed(sourceOf(operation, 'Shell'), sample);
    const address = new RegExp(path.replaceAll(/\{\w+\}/g, "[^/'?]+") + "(?=['?])");
    const [revision] = operation.precondition ? [await newest(world, sample.params['id'])] : [];
    const command = shown
      .replace(address, pathOf(operation, sample.params))
      .replace(/(?<=If-Match: ")\w+/, revision ?? '');
    const status = await runInShell(command, sample.token ?? world.human.token);
    assert.ok(declared(operation).includes(status), `${status} to ${command}`);
  });

  test(`${name}: the program is answered as declared`, async (t) => {
    t.mock.method(console, 'log', () => undefined);
    const sample = await prepared(operation);
    const if_match = operation.precondition ? await newest(world, sample.params['id']) : '';
    const named = [...Object.entries(sample.params), ['if_match', if_match]] as const;
    const program = named
      .reduce(
        (text, [member, value]) =>
          text.replace(
            new RegExp(`(\\b${member}: ')[^']*'`),
            (_, start: string) => `${start}${value}'`,
          ),
        placed(sourceOf(operation, 'TypeScript'), sample),
      )
      .replace('heron.png', join(folder, 'heron.png'));
    assert.ok(
      params.every((param) => program.includes(sample.params[param] ?? '')),
      program,
    );
    const file = join(folder, `${name}.ts`);
    await writeFile(file, program);
    const statuses = await runHere(file, sample.token ?? world.human.token);
    assert.ok(statuses.length > 0 && statuses.every((one) => declared(operation).includes(one)));
  });
}
