// `colophon log audit` against an operator with every key: each way of tampering is found, named, and shown.
import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeNoteKey, noteOf } from '../../../tlog/test/log-folder.ts';
import { openHome } from '../run-cli.ts';
import { serveLog } from './log-service.ts';
import { fresh, history, leaf, scene, size, timeOf } from './scene.ts';
import type { Report } from './scene.ts';

test('an audit leaves a mirror: the same files, which a static server can serve', async () => {
  await using one = await scene();
  for (const path of ['checkpoint', ...one.operator.log.files.keys()])
    assert.deepEqual(
      await readFile(join(one.home.folder, 'mirror', path)),
      await readFile(join(one.operator.folder, path)),
      path,
    );
  await using mirror = await serveLog(join(one.home.folder, 'mirror'), one.key.text);
  const { code, out } = await one.home.run(`log audit ${mirror.url} --no-compare --folder copy`);
  assert.equal(code, 0);
  assert.match(out, /^Nothing is wrong\n/);
  assert.match(out, /600 publications of 600 articles/);
});

test('what was mirrored is not fetched again, and a damaged file is', async () => {
  await using one = await scene();
  await one.operator.publish(fresh(100, size), [one.key]);
  one.service.requests.length = 0;
  const damaged = join(one.home.folder, 'mirror/tile/entries/001');
  await writeFile(damaged, (await readFile(damaged)).subarray(0, -7));
  assert.deepEqual((await one.report()).findings, []);
  // Both are fetched at the same time.
  const entries = one.service.requests.filter((path) => path.includes('entries')).toSorted();
  assert.deepEqual(entries, ['/log/tile/entries/001', '/log/tile/entries/002.p/188']);
  const partial = join(one.home.folder, 'mirror/tile/entries/002.p/88');
  await assert.rejects(stat(partial), { code: 'ENOENT' });
});

/** Histories that the operator writes in place of the first, all signed. */
const forks: readonly (readonly [string, () => Buffer[], number, RegExp])[] = [
  [
    'a changed leaf',
    () => history().with(300, leaf(300, { commitment: '1'.repeat(64) })),
    300,
    /Leaf 300 was changed/,
  ],
  ['a dropped leaf', () => history(size + 1).toSpliced(300, 1), 300, /Leaf 300 was dropped/],
  [
    'reordered leaves',
    () => history().with(300, leaf(301)).with(301, leaf(300)),
    300,
    /Leaf 300 was exchanged with the next one/,
  ],
  [
    'a back-dated publication that is inserted',
    () => history().toSpliced(300, 0, leaf(999, { at: timeOf(300), published_at: timeOf(300) })),
    300,
    /Leaf 300 was put off by a leaf that was inserted before it/,
  ],
  [
    'a back-dated publication that is changed in its place',
    () => history().with(300, leaf(300, { published_at: timeOf(3) })),
    300,
    /Leaf 300 was changed/,
  ],
  ['a forked tree', () => [...history(500), ...history(200, 5000)], 500, /Leaf 500 was changed/],
];

for (const [title, forked, at, detail] of forks)
  test(`${title} is found, with the leaf and both checkpoints`, async () => {
    await using one = await scene();
    const remembered = await readFile(join(one.operator.folder, 'checkpoint'), 'utf8');
    const received = await one.operator.replace(forked(), [one.key]);
    const report = await one.report();
    assert.equal(report.code, 3);
    assert.deepEqual(report.evidence, { remembered, received });
    const [whole, named] = report.findings;
    assert.equal(whole?.kind, 'forked');
    assert.deepEqual([named?.kind, named?.leaf], ['forked', at]);
    assert.match(named?.detail ?? '', detail);
    // The mirror and the memory stay as they were: the next audit finds it again.
    assert.deepEqual(await one.report(), report);
    const words = await one.audit();
    assert.ok(words.out.includes(remembered.trim()) && words.out.includes(received.trim()));
  });

test('a reader who has only an old checkpoint finds a fork too', async () => {
  await using one = await scene();
  const reader = await openHome({ COLOPHON_URL: one.service.url });
  assert.equal((await reader.run('log checkpoint')).code, 0);
  await one.operator.replace(history().with(7, leaf(7, { signed: true })), [one.key]);
  const { code, out, err } = await reader.run('log checkpoint --json');
  assert.equal(code, 3);
  assert.match(err, /forked/);
  assert.equal(JSON.parse(out).findings[0].kind, 'forked');
  await reader[Symbol.asyncDispose]();
});

test('a truncated tree and a checkpoint that is replayed are found', async () => {
  await using one = await scene();
  await one.operator.replace(history(400), [one.key]);
  const truncated = await one.report();
  assert.deepEqual(
    truncated.findings.map(({ kind, leaf: at }) => [kind, at]),
    [
      ['older', null],
      ['older', 400],
    ],
  );
  await one.operator.replace([...history(), ...fresh(50, size)], [one.key]);
  assert.equal((await one.report()).code, 0);
  await one.operator.write('checkpoint', noteOf(one.operator.log, [one.key], { size }));
  const replayed = await one.report();
  assert.deepEqual([replayed.code, replayed.findings[0]?.kind], [3, 'older']);
});

test('a swapped key is refused; one that the old key vouches for is followed', async () => {
  await using one = await scene();
  const next = makeNoteKey('log.example/log', 1);
  one.service.meta.verifier_key = next.text;
  await one.operator.write('checkpoint', noteOf(one.operator.log, [next]));
  const swapped = await one.audit();
  assert.equal(swapped.code, 3);
  assert.match(swapped.err, /not signed by its key .*, which this computer remembers/);
  await one.operator.write('checkpoint', noteOf(one.operator.log, [one.key, next]));
  const rotating = await one.audit();
  assert.equal(rotating.code, 0, rotating.err);
  assert.match(rotating.err, /The log is changing its key/);
  await one.operator.publish(fresh(10, size), [next]);
  assert.equal((await one.report()).code, 0);
});

test('a service that renames its log is refused', async () => {
  await using one = await scene();
  const other = makeNoteKey('new.example/log', 1);
  await one.operator.replace(history().with(3, leaf(3, { v: 2 })), [other]);
  one.service.meta.verifier_key = other.text;
  const { code, err } = await one.audit();
  assert.equal(code, 3);
  assert.match(err, /which this computer remembers/);
});

type Change = (bytes: Buffer) => Uint8Array;

/** Files that are changed beside an honest tree. The reader has no mirror of them yet. */
const files: readonly (readonly [string, string, Change, string, number])[] = [
  [
    'a changed entry',
    'tile/entries/001',
    (bytes) => bytes.fill(0x31, bytes.length - 80, bytes.length - 79),
    'different',
    511,
  ],
  ['entries cut short', 'tile/entries/001', (bytes) => bytes.subarray(0, -9), 'cut', 256],
  ['a tile cut short', 'tile/0/001', (bytes) => bytes.subarray(0, 8160), 'cut', 511],
  ['a changed hash', 'tile/0/001', (bytes) => bytes.fill(1, 64, 65), 'different', 258],
  ['a changed tile above', 'tile/1/000.p/2', (bytes) => bytes.fill(1, 32, 33), 'different', 256],
];

for (const [title, path, change, kind, at] of files)
  test(`${title}: the audit names file and leaf`, async () => {
    await using one = await scene();
    await one.operator.change(path, change);
    const { code, out } = await one.home.run('log audit --no-compare --folder other --json');
    assert.equal(code, 3);
    const findings = (JSON.parse(out) as Report).findings;
    assert.ok(
      findings.some((found) => found.kind === kind && found.leaf === at),
      JSON.stringify(findings),
    );
    assert.ok(findings.some((found) => found.path === path || found.path?.startsWith('tile/')));
    // Once the operator has repaired it, nothing of it is left.
    await one.operator.replace(history(), [one.key]);
    const repaired = await one.home.run('log audit --no-compare --folder other --json');
    assert.equal(repaired.code, 0, repaired.out);
  });

test('a missing tile is named', async () => {
  await using one = await scene();
  await one.operator.remove('tile/entries/001');
  const { code, out } = await one.home.run('log audit --no-compare --folder other --json');
  assert.equal(code, 3);
  const [first] = (JSON.parse(out) as Report).findings;
  assert.deepEqual([first?.kind, first?.path], ['missing', 'tile/entries/001']);
});
