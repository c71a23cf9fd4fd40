// Every code sample of the reference runs as it stands, on objects that are prepared for it.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { operationList } from '@colophon/contract';
import type { AnyOperation, OperationName } from '@colophon/contract';
import { parseFragment } from 'parse5';
import { isId } from '#lib/id';
import { slugOf } from '../src/web/reference/operations.ts';
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

/** Answers a block of code on a page. Parsing the whole page would take most of the time of this file. */
function block(page: string, label: string): string {
  const [, inside] = new RegExp(`aria-label="${label}"><code>([^<]*)</code>`).exec(page) ?? [];
  const [text] = parseFragment(inside ?? assert.fail(`no ${label}`)).childNodes;
  return text !== undefined && 'value' in text ? text.value : assert.fail(label);
}

/** Answers both samples as the page of the operation shows them. */
async function samplesShownFor({ name }: AnyOperation) {
  const page = await (await fetch(`${server.baseUrl}/docs/api/${slugOf(name)}`)).text();
  return { curl: block(page, 'curl example'), typeScript: block(page, 'TypeScript example') };
}

/** Members that name or prove something which only one request can, beside ids. */
const single = ['username', 'public_key', 'nonce', 'signature'];

/** The values of the prepared objects, in place of those that the sample made up. */
async function prepare(operation: AnyOperation): Promise<Sample> {
  const sample = await samples[operation.name as OperationName](world);
  if (operation.name !== 'updateArticle') return sample;
  const image = await upload(server, world.human, 'image', pngOf(2, 2));
  return { ...sample, body: { ...sample.body, featured_media_id: image.body.id } };
}

/** Puts the ids of the prepared objects into the text of a sample, and leaves all else. */
function placeIds(source: string, { body = {} }: Sample): string {
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

function expectDeclared({ answers }: AnyOperation, statuses: readonly number[], sent: string) {
  assert.ok(statuses.length > 0, sent);
  for (const status of statuses) assert.ok(status in answers, `${status} to ${sent}`);
}

/** The values of a sample, and the revision that it builds on. */
interface Given {
  readonly sample: Sample;
  readonly revision: string;
}

async function givenFor(operation: AnyOperation): Promise<Given> {
  const sample = await prepare(operation);
  return {
    sample,
    revision: operation.precondition ? await newest(world, sample.params['id']) : '',
  };
}

async function runCommand(operation: AnyOperation, source: string, { sample, revision }: Given) {
  const segments = operation.path.replaceAll(/\{\w+\}/g, "[^/'?]+");
  const command = placeIds(source, sample)
    .replace(new RegExp(`${segments}(?=['?])`), pathOf(operation, sample.params))
    .replace(/(?<=If-Match: ")\w+/, revision);
  const status = await runInShell(command, sample.token ?? world.human.token);
  expectDeclared(operation, [status], command);
}

async function runProgram(operation: AnyOperation, source: string, { sample, revision }: Given) {
  const named = Object.entries({ ...sample.params, if_match: revision });
  const program = named
    .reduce(
      (text, [member, value]) => {
        const written = new RegExp(`(\\b${member}: ')[^']*'`);
        return text.replace(written, (_, start: string) => `${start}${value}'`);
      },
      placeIds(source, sample),
    )
    .replace('heron.png', join(folder, 'heron.png'));
  for (const param of operation.params)
    assert.ok(program.includes(sample.params[param] ?? ''), program);
  // It has no types to strip, which would take longer than running it.
  const file = join(folder, `${operation.name}.mjs`);
  await writeFile(file, program);
  const statuses = await runHere(file, sample.token ?? world.human.token);
  expectDeclared(operation, statuses, program);
}

for (const operation of operationList) {
  const { name, method } = operation;

  test(`${name}: command and program are answered as declared`, async (t) => {
    t.mock.method(console, 'log', () => undefined);
    const { curl, typeScript } = await samplesShownFor(operation);
    const given = await givenFor(operation);
    await runProgram(operation, typeScript, given);
    if (noShell) return t.skip(noShell);
    // A read leaves its objects as they were.
    await runCommand(operation, curl, method === 'GET' ? given : await givenFor(operation));
  });
}
