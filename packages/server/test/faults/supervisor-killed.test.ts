// The end of a supervisor: by kill -9 while a process hangs, at the next start, and in the middle of a start.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../throw-away-database.ts';
import { childrenOf, descendantsOf, isAlive, signal } from './child-processes.ts';
import {
  countOf,
  hammer,
  isPortFree,
  linesWith,
  pidsOf,
  runningPidsOf,
  senderTo,
  serves,
} from './many-processes.ts';
import { makePlace, startProcess } from './server-process.ts';

const timeout = 900_000;
const skip = process.platform !== 'linux' && 'it reads /proc, which only Linux has';
const largeProcesses = fileURLToPath(import.meta.resolve('./large-processes.ts'));

test(
  'too much memory: each process is replaced, no request fails; what hangs at kill -9 of the supervisor ends at the next start',
  { timeout, skip },
  async () => {
    await using place = await makePlace();
    const send = senderTo(place);
    const large = place.start({ PROCESSES: '2' }, largeProcesses);
    await until('it serves', () => serves(large));
    const clients = hammer(send, 4);
    await until('each was replaced once', () => {
      return pidsOf(large).length === 4 && pidsOf(large, 'worker').length === 2;
    });
    await clients.stop();
    const outcomes = countOf(clients.outcomes);
    assert.deepEqual(Object.keys(outcomes), ['200'], JSON.stringify(outcomes));
    await until('the old ones have ended', async () => {
      return (await childrenOf(large.pid, 'main.mjs')).length === 3;
    });
    const [resumed, hung] = await runningPidsOf(large);
    const all = await descendantsOf(large.pid);
    signal(resumed, 'SIGSTOP');
    signal(hung, 'SIGSTOP');
    large.kill('SIGKILL');
    await until('all that run have ended', async () => {
      const alive = all.map(isAlive);
      return alive.filter(Boolean).length === 2;
    });
    assert.equal(isAlive(resumed), true);
    signal(resumed, 'SIGCONT');
    await until('one that runs again ends', () => !isAlive(resumed));
    assert.equal(isAlive(hung), true);
    assert.equal(await place.databaseRuns(), false);
    assert.equal(await isPortFree(place), false, 'the one that hangs keeps the port');
    assert.match(await readFile(join(place.dataDir, 'server.lock'), 'utf8'), /^\d+\n/);

    const next = place.start({ PROCESSES: '2' });
    await until('it is killed', () => !isAlive(hung));
    await until('its end was logged', () => linesWith(next, 'of an earlier start').length === 1);
    await until(
      'a process starts',
      async () => (await childrenOf(next.pid, 'main.mjs')).length > 0,
    );
    const started = await descendantsOf(next.pid);
    next.kill('SIGUSR2');
    next.kill('SIGTERM');
    assert.deepEqual((await next.ended).code, 0, next.complaint());
    await until('nothing is left', () => !started.some(isAlive));
    assert.equal(await isPortFree(place), true);
    assert.equal(await place.databaseRuns(), false);
    await assert.rejects(readFile(join(place.dataDir, 'server.processes')), { code: 'ENOENT' });

    const alone = startProcess(place.folder, {
      COLOPHON_PROCESS: 'web-1',
      DATA_DIR: place.dataDir,
      PORT: String(place.port),
    });
    assert.equal((await alone.ended).code, 1);
    assert.match(
      alone.complaint(),
      /^Colophon cannot start\. COLOPHON_PROCESS is set, but no supervisor started this process: unset it.*\n$/,
    );
  },
);
