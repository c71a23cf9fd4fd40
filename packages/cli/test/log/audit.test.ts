// `colophon log`: times, witnesses, interruptions, and what it says where something is missing.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { makeNoteKey, noteOf, openLogFolder } from '../../../tlog/test/log-folder.ts';
import { openHome } from '../run-cli.ts';
import { serveLog } from './log-service.ts';
import { history, idOf, leaf, scene, size, timeOf } from './scene.ts';
import type { Report, Scene } from './scene.ts';

test('leaves that claim a time at which they were not there are back-dated', async () => {
  await using one = await scene();
  // Appended now, with the time of the year's beginning: the reader knows that it was not there.
  const memory = await memoryOf(one);
  await one.operator.publish([leaf(size, { article: idOf(9999) })], [one.key]);
  const { code, findings } = await one.report();
  assert.equal(code, 3);
  assert.deepEqual(
    findings.map(({ kind, leaf: at }) => [kind, at]),
    [['backdated', size]],
  );
  assert.ok(findings[0]?.detail.includes(memory.seen_at));
});

async function memoryOf({ home }: Scene) {
  const { out } = await home.run('log checkpoint');
  const file = /^Remembered: (.+)$/m.exec(out)?.[1] ?? '';
  const { mode } = await stat(file);
  assert.equal(mode & 0o777, 0o600);
  return JSON.parse(await readFile(file, 'utf8')) as { readonly seen_at: string };
}

test('within the tree, a leaf that is older than the ones before it is back-dated', async () => {
  const key = makeNoteKey('log.example/log', 1);
  await using operator = await openLogFolder();
  await operator.publish([...history(3), leaf(4, { at: timeOf(-3600) }), leaf(5)], [key]);
  await using service = await serveLog(operator.folder, key.text);
  await using home = await openHome({ COLOPHON_URL: service.url });
  const { code, out } = await home.run('log audit --no-compare --json');
  assert.equal(code, 3);
  assert.deepEqual(
    (JSON.parse(out) as Report).findings.map(({ kind, leaf: at }) => [kind, at]),
    [['backdated', 3]],
  );
});

test('an earlier date of publication is listed, and a failure with --strict', async () => {
  const key = makeNoteKey('log.example/log', 1);
  await using operator = await openLogFolder();
  await operator.publish([leaf(0), leaf(1, { published_at: timeOf(-90_000) })], [key]);
  await using service = await serveLog(operator.folder, key.text);
  await using home = await openHome({ COLOPHON_URL: service.url });
  const { code, out } = await home.run('log audit --no-compare --folder mirror');
  assert.equal(code, 0);
  assert.match(out, /1 publication has an earlier date[\s\S]*leaf 1: article/);
  assert.equal((await home.run('log audit --no-compare --folder mirror --strict')).code, 3);
});

test('a mirror cannot be a file: it is refused in one plain sentence', async () => {
  await using one = await scene();
  await writeFile(join(one.home.folder, 'notes.txt'), '');
  for (const name of ['notes.txt', 'notes.txt/mirror']) {
    const { code, err } = await one.home.run(['log', 'audit', '--no-compare', '--folder', name]);
    assert.equal(code, 2);
    assert.equal(err, `colophon: ${name} is not a folder.\nNext: Name another folder.\n`);
  }
});

test('witnesses: a checkpoint without the quorum is refused', async () => {
  await using one = await scene();
  const [a, b] = [makeNoteKey('a.example/w', 4), makeNoteKey('b.example/w', 4)];
  const both = ` --witness ${a.text} --witness ${b.text}`;
  await one.operator.write('checkpoint', noteOf(one.operator.log, [one.key, a]));
  const few = await one.audit(both);
  assert.equal(few.code, 3);
  assert.match(few.err, /too-few-witnesses/);
  const enough = await one.audit(`${both} --quorum 1`);
  assert.equal(enough.code, 0);
  assert.match(enough.out, /Witnesses: a\.example\/w at 2026/);
});

test('an audit that is interrupted goes on where it ended', async () => {
  const key = makeNoteKey('log.example/log', 1);
  await using operator = await openLogFolder();
  const bundles = 40;
  await operator.publish(history(bundles * 250), [key]);
  await using service = await serveLog(operator.folder, key.text);
  await using home = await openHome({ COLOPHON_URL: service.url });
  const ended = new AbortController();
  // In the request itself: a timer may come after the last one.
  service.asked = () => {
    if (service.requests.length > 15) ended.abort(new Error('Ctrl-C'));
  };
  const args = 'log audit --no-compare --folder mirror';
  const { code } = await home.run(args, { signal: ended.signal });
  service.asked = () => undefined;
  assert.equal(code, 130);
  const before = service.requests.filter((path) => path.includes('entries')).length;
  assert.ok(before < bundles);
  service.requests.length = 0;
  assert.equal((await home.run(args)).code, 0);
  const after = service.requests.filter((path) => path.includes('entries')).length;
  assert.ok(before + after <= bundles + 16, `${before} and ${after}`);
});

const misuses: readonly (readonly [string, number, RegExp])[] = [
  ['log audit nowhere', 2, /is not the address of a service/],
  ['log audit --key x', 2, /not the key of a log/],
  ['log audit --witness x', 2, /not the key of a witness/],
  ['log audit --quorum 0', 2, /at least 1/],
  ['log audit --quorum 2', 2, /larger than the number of witnesses/],
];

for (const [args, expected, message] of misuses)
  test(`colophon ${args} is misuse`, async () => {
    const key = makeNoteKey('log.example/log', 1);
    await using operator = await openLogFolder();
    await using service = await serveLog(operator.folder, key.text);
    await using home = await openHome({ COLOPHON_URL: service.url });
    const { code, err } = await home.run(args);
    assert.equal(code, expected, err);
    assert.match(err, message);
  });

test('a memory that cannot be read, a service without a log, and a log without a checkpoint', async () => {
  await using one = await scene();
  const { out } = await one.home.run('log checkpoint');
  await writeFile(/^Remembered: (.+)$/m.exec(out)?.[1] ?? '', '{');
  const damaged = await one.audit();
  assert.equal(damaged.code, 1);
  assert.match(damaged.err, /cannot be read/);
  one.service.meta.verifier_key = undefined as unknown as string;
  await using reader = await openHome({ COLOPHON_URL: one.service.url });
  assert.match((await reader.run('log checkpoint')).err, /has no transparency log/);
  one.service.meta.verifier_key = one.key.text;
  await one.operator.remove('checkpoint');
  const empty = await reader.run('log checkpoint');
  assert.equal(empty.code, 3);
  assert.match(empty.err, /no checkpoint yet/);
});
