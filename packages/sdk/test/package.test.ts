// The published package: installed into an empty folder, it runs on an old Node, and strict compilers take it.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build as bundle } from 'esbuild';
import { publint } from 'publint';
import { examples } from '../../../scripts/sdk/examples.ts';
import { builtAgain, compile, compilers, installPacked, root, run } from './packing.ts';
import { drawSample } from '../../server/test/faults/sampled.ts';
import { history, proofWith, text } from './proofs.ts';
import { json, startScript } from './scripted-server.ts';

const installed = await installPacked();
after(() => installed[Symbol.asyncDispose]());
const { folder } = installed;
/** TypeScript 5 takes ten times as long as 7, so one of them is drawn. */
const versions = drawSample([5, 7] as const, 1, 'TypeScript');

const program = `
import { createClient, isProblem, signerOf, createSecretKey, verifyProof } from '@colophon/sdk';
const { baseUrl, proof, text, trusted } = JSON.parse(process.argv[2]);
const client = createClient({ baseUrl, retry: { attempts: 1 } });
const { base_url } = await client.readMeta();
const verdict = await verifyProof(proof, { text, trusted });
const { publicKey } = await signerOf(createSecretKey());
const failed = await client.readArticle({ id: 'x' }).catch((error) => isProblem(error, 'unavailable'));
console.log(JSON.stringify([base_url, verdict.result, publicKey.length, failed]));
`;

test('it installs offline into an empty folder, without a warning and without dependencies', async () => {
  assert.equal(installed.complaints, '');
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: object;
  };
  assert.deepEqual(Object.keys(lock.packages), ['', 'node_modules/@colophon/sdk']);
  assert.ok(installed.files.includes('README.md') && installed.files.includes('NOTICES.md'));
});

test('plain JavaScript runs on the oldest Node of this machine and on the one that runs the tests, without a warning', async () => {
  await writeFile(join(folder, 'program.mjs'), program);
  for (const node of [installed.node, process.execPath]) {
    await using server = await startScript(
      json(200, { base_url: 'https://example.org' }),
      (_, to) => to.socket?.destroy(),
    );
    const trusted = { baseUrl: 'https://example.org', keys: [history()] };
    const given = JSON.stringify({ baseUrl: server.baseUrl, proof: proofWith(), text, trusted });
    const { stdout, stderr } = await run(node, ['program.mjs', given], { cwd: folder });
    assert.equal(stderr, '');
    assert.deepEqual(JSON.parse(stdout), ['https://example.org', 'valid', 43, true]);
  }
});

test('the package imports nothing but itself, so that it runs wherever there are fetch and WebCrypto', async () => {
  const files = installed.files.filter((file) => file.endsWith('.js'));
  assert.ok(files.includes('index.js'));
  for (const file of files) {
    const code = await readFile(join(installed.built, file), 'utf8');
    const imports = code.match(/\bimport\s*\(|\brequire\s*\(|["']node:|\bfrom\s+["'](?!\.\/).*/gm);
    assert.deepEqual(imports, null, file);
    assert.doesNotMatch(code, /\b(?:process|Buffer|__dirname)\./);
    assert.doesNotMatch(code, /typebox/i);
  }
});

/** Bytes of a program as browsers load it: bundled, minified, compressed with gzip. */
async function sizeOf(names: string): Promise<number> {
  const stdin = {
    contents: `import { ${names} } from '@colophon/sdk';\nconsole.log(${names});`,
    resolveDir: folder,
  };
  const { outputFiles } = await bundle({
    stdin,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

test('a program that calls loads at most 8 KiB; only one that verifies loads cryptography', async () => {
  const core = await sizeOf('createClient, isProblem');
  assert.ok(core <= 8192, `${core} bytes`);
  const all = await sizeOf('createClient, isProblem, verifyProof');
  assert.ok(all > core + 2048, `${all} bytes`);
});

test('publint has nothing to say', async () => {
  const { messages } = await publint({ pkgDir: installed.built, strict: true });
  assert.deepEqual(messages, []);
});

test('arethetypeswrong finds nothing but that it is a module, which old CommonJS cannot require', async () => {
  const tarball = createPackageFromTarballData(await readFile(installed.tarball));
  const analysis = await checkPackage(tarball);
  assert.ok(analysis.types);
  assert.deepEqual(
    analysis.problems.map(({ kind }) => kind),
    ['CJSResolvesToESM'],
  );
});

test('a second build is the same, byte for byte', async () => {
  const files = installed.files.filter((file) => file !== 'package.json');
  const first = await Promise.all(
    files.map((file) => readFile(join(installed.built, file), 'utf8')),
  );
  assert.deepEqual(await builtAgain(files), first);
});

const small = `
import { createClient, isProblem } from '@colophon/sdk';
const client = createClient({ baseUrl: 'https://example.org', token: 'secret' });
const article = await client.readArticle({ id: 'x' });
const title: string = article.title;
// @ts-expect-error the path needs an id
await client.readArticle();
// @ts-expect-error takes no member colour
await client.createArticle({ title, content: 'x', colour: 'red' });
for await (const event of client.events({ types: ['comment.created', 'key.registered'] })) {
  if (event.type === 'comment.created') {
    const parent: string | null = event.payload.parent_comment_id;
    console.log(parent);
  } else console.log(event.payload.public_key);
}
const tried = await client.createArticle({ title, content: 'x', dry_run: true });
const isTried: true = tried.dry_run;
try {
  await client.readMe();
} catch (error) {
  if (isProblem(error, 'gone')) console.log(error.problem.removed_at, isTried);
}
export {};
`;

for (const version of versions)
  test(`a small program compiles in strict TypeScript ${version}, at little cost`, async () => {
    await writeFile(join(folder, 'small.ts'), small);
    const { faults, figures } = await compile(version, folder, 'small.ts');
    assert.equal(faults, '');
    const figure = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(figures)?.[1] ?? Number.NaN);
    assert.ok(figure('Memory used') <= 200 * 1024, figures);
    await writeFile(join(folder, 'empty.ts'), 'export {};');
    const without = await compile(version, folder, 'empty.ts');
    const own = Number(/^Instantiations:\s+(\d+)/m.exec(without.figures)?.[1]);
    assert.ok(figure('Instantiations') - own < 1000, `${figures}\n\nwithout:\n${without.figures}`);
  });

const prelude = [
  "import { createClient } from '@colophon/sdk';",
  'declare function readFile(file: string): Promise<Uint8Array>;',
  "const client = createClient({ baseUrl: 'https://example.org' });",
];

test('every method has an example, and every example compiles', async () => {
  const blocks = Object.values(examples).map((example) => `async () => {\n${example}\n},`);
  const file = [...prelude, 'export const all = ['];
  await writeFile(join(folder, 'examples.ts'), [...file, ...blocks, '];'].join('\n'));
  assert.equal((await compile(7, folder, 'examples.ts')).faults, '');
});

test('every block of the README compiles, one after the other', async () => {
  const page = await readFile(join(installed.built, 'README.md'), 'utf8');
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  assert.ok(blocks.length >= 7);
  const given =
    'declare const token: string, id: string, agentId: string;\ndeclare let cursor: string | undefined;\n';
  await writeFile(join(folder, 'readme.ts'), given + blocks.join('\n'));
  assert.equal((await compile(7, folder, 'readme.ts')).faults, '');
});

const agreement = (own: string, flat: string) => `
import type * as Own from '${own}';
import type * as Flat from '${flat}';
type Frozen<T> = T extends Blob | Headers ? T : T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
type Both<A, B> = [Frozen<A>] extends [Frozen<B>] ? ([Frozen<B>] extends [Frozen<A>] ? true : false) : false;
type Names = Own.OperationName;
type Wrong<T> = { [N in keyof T]: T[N] extends true ? never : N }[keyof T];
type Answers = Wrong<{ [N in Names]: Both<Own.BodyAnswer<N>, Flat.BodyAnswer<N>> }>;
type Replies = Wrong<{ [N in Names]: Both<Own.ReplyOf<N>, Flat.ReplyOf<N>> }>;
type Inputs = Wrong<{ [N in Names]: [Own.InputOf<N>] extends [Flat.InputOf<N>] ? true : false }>;
type Keys = Wrong<{ [N in Names]: Both<keyof Own.InputOf<N>, keyof Flat.InputOf<N>> }>;
type Items = Wrong<{ [N in Own.ListName]: Both<Own.ItemOf<N>, Flat.ItemOf<N>> }>;
export const right: readonly [Answers, Replies, Inputs, Keys, Items] = [] as unknown as readonly [never, never, never, never, never];
export const none: [Answers, Replies, Inputs, Keys, Items][number] extends never ? true : [Answers, Replies, Inputs, Keys, Items] = true;
export const names: Both<Names, Flat.OperationName> = true;
export const lists: Both<Own.ListName, Flat.ListName> = true;
export const events: Both<Own.Event, Flat.Event> = true;
export const problems: Both<Own.ProblemName, Flat.ProblemName> = true;
export const methods: Both<keyof Own.Client, keyof Flat.Client> = true;
`;

test('the flat types are those that the source derives from the contract', async () => {
  const own = join(root, 'packages/sdk/src/index.ts');
  await writeFile(join(folder, 'agreement.ts'), agreement(own, '@colophon/sdk'));
  const flags = [
    '--ignoreConfig',
    '--singleThreaded',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    '--noEmit',
  ];
  const target = ['--module', 'nodenext', '--target', 'esnext', '--allowImportingTsExtensions'];
  const { stdout } = await run(
    process.execPath,
    [compilers[7], ...flags, ...target, 'agreement.ts'],
    {
      cwd: folder,
    },
  ).catch((error: { readonly stdout: string }) => error);
  assert.equal(stdout, '');
});
