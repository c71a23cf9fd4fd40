// What docs/security.md names as guards and proofs is there.
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../../../', import.meta.url);

test('every file that docs/security.md names exists', async () => {
  const page = await readFile(new URL('docs/security.md', root), 'utf8');
  const names = [...page.matchAll(/`((?:src|test|packages)\/[^`\s]+\.ts)`/g)].map(
    ([, name]) => name ?? '',
  );
  assert.ok(names.length > 50, `${names.length} names are found`);
  for (const name of new Set(names)) {
    await assert.doesNotReject(
      access(new URL(name.startsWith('packages/') ? name : `packages/server/${name}`, root)),
      `${name} is there`,
    );
  }
});
