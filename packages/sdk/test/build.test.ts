// The build for publishing: JavaScript that an older Node loads, and types that a stranger's project takes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { proofWith } from './proofs.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

const consumer = `
import { createClient, isProblem, verifyProof } from './dist/sdk/src/index.js';
const verdict = await verifyProof(JSON.parse(process.env['PROOF'] ?? ''));
console.log(verdict.valid ? verdict.key_id : verdict.reason);
const client = createClient({ baseUrl: 'http://127.0.0.1:1', retry: { attempts: 1 } });
client.readArticle({ id: 'x' }).catch((error: unknown) => {
  if (isProblem(error)) console.log(error.problem.name, Object.keys(client.each).length > 0);
});
// @ts-expect-error the path needs an id
client.readArticle().catch(() => undefined);
`;

test('the build runs without type stripping and types a project of its own', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'colophon-build-'));
  t.after(() => rm(place, { recursive: true, force: true }));
  await symlink(join(root, 'node_modules'), join(place, 'node_modules'));
  await writeFile(join(place, 'package.json'), '{"type":"module"}');
  await writeFile(join(place, 'consumer.ts'), consumer);
  const build = [
    '-p',
    join(root, 'packages/sdk/tsconfig.build.json'),
    '--outDir',
    join(place, 'dist'),
  ];
  await run(process.execPath, [tsc, ...build]);
  const strict = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    'node',
    '--ignoreConfig',
  ];
  await run(process.execPath, [tsc, ...strict, 'consumer.ts'], { cwd: place });
  // COLOPHON_OLD_NODE names another Node to try it on.
  const old = process.env['COLOPHON_OLD_NODE'];
  const [node, flags] = old === undefined ? [process.execPath, ['--no-strip-types']] : [old, []];
  const proof = proofWith();
  const env = { ...process.env, PROOF: JSON.stringify(proof) };
  const { stdout } = await run(node, [...flags, 'consumer.js'], { cwd: place, env });
  assert.equal(stdout, `${proof.signature.key.id}\nunavailable true\n`);
});
