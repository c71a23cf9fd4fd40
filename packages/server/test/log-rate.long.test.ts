// Fifty publications a second: each is in a published checkpoint within two seconds of its answer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '#database';
import { startServer } from './harness.ts';
import type { Human, TestServer } from './harness.ts';

const perSecond = Number(process.env['LOG_RATE'] ?? 50);
const seconds = 20;
const promisedMs = 2_000;

let server: TestServer;
let people: readonly Human[];
before(async () => {
  server = await startServer();
  people = await Promise.all(Array.from({ length: 10 }, () => server.register()));
});
after(() => server[Symbol.asyncDispose]());

/** Publications that were answered and are not seen in the published log yet, with the time of the answer. */
const answered = new Map<string, number>();
const waited: number[] = [];

async function see(): Promise<void> {
  if (answered.size === 0) return;
  const rows = await server.db.rows(sql<{ revision: string }>`
    select split_part(l.cause, '/', 2) as revision
    from log_leaves l
    join log_heads h on h.bucket = l.bucket
    where l.bucket = 0
      and l.cause = any(${[...answered.keys()].map((id) => `publication/${id}/unsigned`)})
      and l.number < h.published_size`);
  const now = performance.now();
  for (const { revision } of rows) {
    waited.push(now - (answered.get(revision) ?? now));
    answered.delete(revision);
  }
}

test(`${perSecond} publications a second for ${seconds} s`, async (t) => {
  let ended = false;
  const seeing = (async () => {
    while (!ended || answered.size > 0) {
      await see();
      await wait(50);
    }
  })();
  const began = performance.now();
  const publications: Promise<void>[] = [];
  for (let count = 0; count < perSecond * seconds; count += 1) {
    await wait(Math.max(0, (count * 1_000) / perSecond - (performance.now() - began)));
    const author = people[count % people.length] as Human;
    publications.push(
      server.published(author).then(({ revision_id }) => {
        answered.set(revision_id as string, performance.now());
      }),
    );
  }
  await Promise.all(publications);
  ended = true;
  await seeing;
  const sorted = waited.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  t.diagnostic(`median ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(0.9999)} ms`);
  assert.equal(waited.length, perSecond * seconds);
  assert.ok(at(0.99) <= promisedMs, `p99 is ${at(0.99)} ms`);
});
