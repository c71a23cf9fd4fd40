// Tests of the test command: files that pass, fail, crash, hang or leave a process running.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { spec } from 'node:test/reporters';
import { countEvents } from './counts.ts';
import { killProcessesIn, processesIn } from './leftovers.ts';
import { runFiles } from './run-files.ts';
import type { FileReport, Terms } from './run-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'colophon-runner-'));
// PostgreSQL may run as another user, who needs access to the folder.
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));

const minute = 60_000;

async function runTexts(
  texts: Readonly<Record<string, string>>,
  changed: Partial<Terms> = {},
  reported: () => void = () => undefined,
): Promise<{ counts: Record<string, number>; reports: FileReport[] }> {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, name);
    writeFileSync(
      file,
      `import assert from 'node:assert';\nimport { test } from 'node:test';\n${text}`,
    );
    return file;
  });
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const reports: FileReport[] = [];
  const terms: Terms = {
    signal: new AbortController().signal,
    atOnce: 1,
    placementOf: () => 'shared',
    testMilliseconds: minute,
    fileMilliseconds: minute,
  };
  // A limit may be a getter, and be another one for a later file.
  Object.defineProperties(terms, Object.getOwnPropertyDescriptors(changed));
  await runFiles(files, terms, (report) => {
    reports.push(report);
    countEvents(report.events, counts);
    reported();
  });
  return { counts, reports };
}

function failureOf(report: FileReport | undefined): string {
  const failed = report?.events.find(({ type }) => type === 'test:fail');
  return failed?.type === 'test:fail' ? String(failed.data.details.error.stack) : '';
}

test('a file that cannot be loaded is one failure that the reporter prints', async () => {
  const { counts, reports } = await runTexts({
    'broken.test.mjs': "test('a', () => {",
    'next.test.mjs': "test('b', () => {});",
  });
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
  const reporter = spec();
  for (const { events } of reports) for (const event of events) reporter.write(event);
  reporter.end();
  assert.match(await text(reporter), /broken\.test\.mjs[^]*SyntaxError/);
});

test('tests that pass, fail and are skipped are counted, several files in one process', async () => {
  const { counts, reports } = await runTexts({
    'one.test.mjs':
      "globalThis.seen = 1; test('a', () => {}); test('b', { skip: true }, () => {});",
    'two.test.mjs':
      "test('c', () => assert.equal(globalThis.seen, 2)); test.after(() => { console.log('printed'); console.error('x'.repeat(300_000) + 'to the end'); });",
  });
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 1 });
  assert.match(failureOf(reports[1]), /1 == 2/, 'the second file ran where the first had run');
  assert.match(reports[1]?.output ?? '', /^printed\n\n*x+to the end\n\n*$/);
});

test('a file of its own shares nothing', async () => {
  const { counts } = await runTexts(
    {
      'one.test.mjs': "globalThis.seen = 1; test('a', () => {});",
      'two.test.mjs': "test('c', () => assert.equal(globalThis.seen, undefined));",
    },
    { placementOf: () => 'alone' },
  );
  assert.deepEqual(counts, { passed: 2, failed: 0, skipped: 0 });
});

test('files that must be the last ones run behind others, and no other kind follows in their process', async () => {
  const names = Array.from({ length: 45 }, (_, at) => `${at}.test.mjs`);
  const { counts, reports } = await runTexts(
    Object.fromEntries(
      names.map((name) => [
        name,
        "globalThis.ran = (globalThis.ran ?? 0) + 1; test('a', () => console.log(globalThis.ran));",
      ]),
    ),
    { placementOf: (file) => (/\D[01]\.test/.test(file) ? 'last' : 'shared') },
  );
  assert.equal(counts['passed'], 45);
  const ran = reports.map(({ file, output }) => [basename(file, '.test.mjs'), output.trim()]);
  // A process runs 40 files before the last ones.
  const first = Array.from({ length: 40 }, (_, at) => [String(at + 2), String(at + 1)]);
  const second = [42, 43, 44].map((name, at) => [String(name), String(at + 1)]);
  assert.deepEqual(ran, [...first, ['0', '41'], ['1', '42'], ...second]);
});

test('a shared process that fails at its end is reported with what it printed', async () => {
  const { counts, reports } = await runTexts({
    'fails.test.mjs':
      "test('a', () => {}); process.once('exit', () => { console.error('why it failed'); process.exitCode = 3; });",
  });
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
  assert.match(failureOf(reports[1]), /exit code 3\.\nwhy it failed/);
});

for (const place of ['shared', 'alone'] as const) {
  const kind = place === 'shared' ? 'shared process' : 'process of its own';
  test(`a file that cannot be loaded, contains no test or ends its process fails: ${kind}`, async () => {
    const { counts, reports } = await runTexts(
      {
        'missing.test.mjs': "await import('./not-there.mjs');",
        'empty.test.mjs': '',
        'exit.test.mjs': "test('a', () => process.exit(3));",
        'rejected.test.mjs':
          "test('a', () => {}); test('b', async () => { void Promise.reject(new Error('unseen')); await new Promise(setImmediate); });",
        'after.test.mjs': "test('a', () => {});",
      },
      { placementOf: () => place },
    );
    assert.match(failureOf(reports[0]), /not-there/);
    assert.match(failureOf(reports[1]), /contains no test/);
    assert.match(failureOf(reports[2]), /exit code 3/);
    assert.match(failureOf(reports[3]), /unseen/);
    assert.deepEqual(counts, { passed: 3, failed: 4, skipped: 0 });
  });

  test(`a file that hangs is stopped and the others run: ${kind}`, async () => {
    // The other file has as long as it takes: on a busy machine its process starts slowly.
    let limit = 3_000;
    const { counts, reports } = await runTexts(
      {
        'hangs.test.mjs': "test('a', () => {}); setInterval(() => {}, 1000);",
        'after.test.mjs': "test('a', () => {});",
      },
      {
        placementOf: () => place,
        get fileMilliseconds() {
          return limit;
        },
      },
      () => (limit = minute),
    );
    assert.match(failureOf(reports[0]), /did not end/);
    assert.equal(counts.passed, 1);
  });
}

test('an aborted run starts no further file and ends its processes', async () => {
  const abort = new AbortController();
  const marker = join(folder, 'aborted');
  const running = runTexts(
    {
      'long.test.mjs': `import { spawn } from 'node:child_process'; spawn('sleep', ['600'], { cwd: ${JSON.stringify(folder)}, stdio: 'ignore', env: { MARK: ${JSON.stringify(marker)} } }); test('a', () => new Promise((done) => setTimeout(done, 600_000)));`,
      'never.test.mjs': "test('a', () => {});",
    },
    { signal: abort.signal },
  );
  if (process.platform === 'linux') {
    while (processesIn(marker).length === 0) await new Promise(setImmediate);
  }
  abort.abort(new Error('enough'));
  const { reports } = await running;
  assert.deepEqual(reports, []);
  // A process that was killed needs a moment to end; one that is not fails the file at its limit.
  while (processesIn(marker).length > 0) await new Promise(setImmediate);
});

test('processes that name the folder of a run are found and ended', async (t) => {
  if (process.platform !== 'linux') return t.skip('needs /proc');
  const marker = join(folder, 'marked');
  const child = spawn('sleep', ['600'], {
    env: { DATA_DIR: marker },
    detached: true,
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  while (processesIn(marker).length === 0) await new Promise(setImmediate);
  await killProcessesIn(marker);
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  return undefined;
});

test('a run that is interrupted leaves no process and no folder behind', async (t) => {
  if (process.platform !== 'linux') return t.skip('needs /proc');
  const own = mkdtempSync(join(folder, 'own-'));
  chmodSync(own, 0o755);
  const root = resolve(import.meta.dirname, '../..');
  const child = spawn(process.execPath, ['scripts/test.ts', 'operations/list-events-wait'], {
    cwd: root,
    env: { ...process.env, TMPDIR: own },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdout.resume();
  const workers = () => processesIn(own).filter(({ command }) => command.includes('worker.ts'));
  while (workers().length === 0) {
    assert.equal(child.exitCode, null, 'it still runs');
    await new Promise((done) => setTimeout(done, 20));
  }
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [143, null]);
  assert.deepEqual(processesIn(own), []);
  return undefined;
});
