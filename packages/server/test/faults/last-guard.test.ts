// An error that no code handles: it is logged, what is in flight is finished, and the process ends with 1.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { until } from '../throw-away-database.ts';
import { makePlace, unkept } from './server-process.ts';
import type { Place } from './server-process.ts';

let place: Place;

before(async () => {
  place = await makePlace();
});

after(async () => {
  await place[Symbol.asyncDispose]();
});

/** Loaded before the program: a signal makes the error, as a bug of ours would. */
function failingProgram(code: string): string {
  const text = `process.on('SIGUSR2', () => { ${code} });`;
  return `--import data:text/javascript,${encodeURIComponent(text)}`;
}

interface Slow {
  readonly status: Promise<number>;
  finish(): void;
}

/** A registration of which the head and a part of the body were sent: what is sent later arrives later. */
async function beginRegistration(username: string): Promise<Slow> {
  const body = JSON.stringify({ username });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(`${place.baseUrl}/v1/humans`, { method: 'POST', headers }, (message) => {
    message.resume().on('end', () => resolve(message.statusCode ?? 0));
  });
  sent.on('error', reject);
  await new Promise<void>((flushed, failed) => {
    sent.once('error', failed).write(body.slice(0, 5), () => flushed());
  });
  return { status: promise, finish: () => void sent.end(body.slice(5)) };
}

for (const [kind, code] of [
  ['unhandledRejection', `void Promise.reject(new Error('an error without a handler'))`],
  ['uncaughtException', `setImmediate(() => { throw new Error('an error without a handler'); })`],
] as const) {
  test(
    `${kind}: logged as fatal; a request that had begun is answered; exit 1`,
    { timeout: 900_000 },
    async () => {
      const server = place.start({ NODE_OPTIONS: failingProgram(code) });
      await server.ready(place.baseUrl);
      const slow = await beginRegistration(`slow-${kind.toLowerCase()}`);
      // The request has arrived when a later one on another connection is answered.
      assert.equal((await fetch(`${place.baseUrl}/healthz`, { headers: unkept })).status, 200);
      server.kill('SIGUSR2');
      await until('it stops', () => server.log.some(({ reason }) => reason === kind));
      await until('it accepts nothing any more', async () => {
        const answer = await fetch(`${place.baseUrl}/healthz`).catch(() => undefined);
        await answer?.arrayBuffer();
        return answer === undefined;
      });
      slow.finish();
      assert.equal(await slow.status, 201);
      const { code: status } = await server.ended;
      assert.equal(status, 1);
      const fatal = server.log.filter(({ level }) => level === 60);
      assert.equal(fatal.length, 1);
      assert.match(JSON.stringify(fatal[0]), /an error without a handler/);
      assert.equal(await place.databaseRuns(), false, 'its database ended with it, in order');
    },
  );
}
