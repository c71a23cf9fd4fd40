// The code of an earlier version serves on while today's server migrates its database, and on today's schema.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { urlOf } from '../derived-tables.ts';
import { throwAwayDatabase } from '../throw-away-database.ts';
import { fill } from './fill.ts';
import { baseUrl, serve } from './serve.ts';

const root = resolve(import.meta.dirname, '../../../..');
/** The commit that recorded `dumps/0028.sql.gz`. */
const commit = 'e93e0956e0';

function isKnown(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * The tree of the commit, with the packages of today: it resolves its own workspaces. It is not below
 * `node_modules`, where Node.js does not run TypeScript.
 */
function checkOut() {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-older-'));
  const script = `git archive ${commit} | tar -x -C "$0"; mkdir "$0/node_modules"
    cp -al node_modules/* "$0/node_modules" 2>/dev/null || cp -a node_modules/* "$0/node_modules"`;
  execFileSync('sh', ['-c', script, folder], { cwd: root });
  return {
    program: join(folder, 'packages/server/src/main.mjs'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test(
  'older code serves before, during and after a migration to today',
  {
    skip: isKnown() ? false : 'the history of the repository is not here',
  },
  async () => {
    using tree = checkOut();
    await using database = await throwAwayDatabase();
    await using clone = await database.clone(false);
    const dump = readFileSync(join(import.meta.dirname, 'dumps/0028.sql.gz'));
    await clone.ask(gunzipSync(dump).toString());
    await using older = await serve(urlOf(clone.connection), { program: tree.program });
    const before = await fill(older.address, { baseUrl, suffix: '-before' });
    const during = fill(older.address, { baseUrl, suffix: '-during' });
    await using newer = await serve(urlOf(clone.connection));
    const statuses = (readings: Awaited<typeof during>) => readings.map(({ status }) => status);
    assert.deepEqual(statuses(await during), statuses(before));
    const onNewSchema = await fill(older.address, { baseUrl, suffix: '-after' });
    assert.deepEqual(statuses(onNewSchema), statuses(before));
    assert.deepEqual(
      statuses(await fill(newer.address, { baseUrl, suffix: '-newer' })),
      statuses(before),
    );
    const failures = [...older.log, ...newer.log].filter(({ level }) => Number(level) >= 50);
    assert.deepEqual(failures, []);
  },
);
