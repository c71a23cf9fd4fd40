// Every race of the suite once more, between two servers on one database: requests go to one and the other in turn.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { drawSample } from './faults/sampled.ts';
import { seed } from './seed.ts';
import { startServer } from './harness.ts';
import { serversVariable } from './second-server.ts';

process.env[serversVariable] = '2';

const root = join(import.meta.dirname, '..');
const races = globSync(['src/**/*-race{,s}.test.ts', 'test/**/*-race{,s}.test.ts'], { cwd: root });

test(`both servers answer, SEED=${seed}`, async () => {
  await using server = await startServer({ ROLE: 'web' });
  assert.ok(races.length >= 9);
  assert.equal(server.addresses.length, 2);
  const { id } = await server.register();
  for (const address of server.addresses) {
    const answer = await fetch(`${address}/v1/principals/${id}`);
    assert.equal(answer.status, 200, await answer.text());
  }
});

// Each registers its tests when it is loaded.
for (const file of drawSample(races.toSorted(), 2, 'races'))
  await import(pathToFileURL(join(root, file)).href);
