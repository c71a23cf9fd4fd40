// Messages whose failure could hold back the others, or be forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hurry, jobs, noteWaits, open, say, subscriber } from '#test/pipeline';
import { migratedClone } from '#test/migrated-clone';
import { quiet, until } from '#test/throw-away-database';
import type { Clone } from '#test/throw-away-database';
import { appendMessage, countParked, listParked, releaseParked } from './index.ts';
import type { ArticleChanged, Delivered, Subscriber } from './index.ts';

type Messages = readonly Delivered<ArticleChanged>[];

async function change(clone: Clone, index: number, id: string): Promise<void> {
  await clone.db.transaction(async (tx) => {
    await appendMessage(tx, {
      bucket: index,
      type: 'article.changed',
      payload: { article_id: id },
    });
  });
}

test('a change of an article that was done in a job is not taken for covered when the rest of that job is released', async () => {
  await using clone = await migratedClone();
  const done: string[] = [];
  let broken = true;
  let gate: Promise<void> = Promise.resolve();
  let held = false;
  const hold: Subscriber = {
    type: 'media.ready',
    name: 'hold',
    priority: 'urgent',
    run: () => ((held = true), gate),
  };
  const run = async (messages: Messages, bad: string): Promise<void> => {
    const ids = messages.map(({ payload }) => payload.article_id);
    if (broken && ids.includes(bad)) throw new Error('the index is gone');
    done.push(...ids);
  };
  const [bad = '', good = ''] = await say(clone, 2);
  const store: Subscriber<ArticleChanged> = {
    ...subscriber('store', (message) => run([message], bad)),
    many: { atOnce: 10, run: (messages) => run(messages, bad) },
  };
  await using outbox = open(clone, [hold, store], { concurrency: 1 });
  outbox.wake();
  await until('the other one is done', () => done.length === 1);
  await until(
    'the one that fails is parked',
    async () => (await hurry(clone), (await countParked(clone.db)) === 1),
  );
  broken = false;
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  await clone.db.transaction(async (tx) => {
    await appendMessage(tx, { bucket: 0, type: 'media.ready', payload: { media_id: 'one' } });
  });
  outbox.wake();
  await until('the only place is taken', () => held);
  await releaseParked(clone.db);
  await change(clone, 1, good);
  outbox.wake();
  await until('it was handed on', async () => (await clone.ask('select from outbox')).length === 0);
  opened.resolve();
  await until('no job is left', async () => (await jobs(clone)) === 0);
  assert.deepEqual(done.toSorted(), [bad, good, good].toSorted());
});

for (const [name, text] of [
  ['NUL', 'a\u0000b'],
  ['half a character', 'a\ud83d'],
] as const)
  test(`an error whose text contains ${name} fails its own job only`, async () => {
    await using clone = await migratedClone();
    const texts: string[] = [];
    const note = (_: object, said: string) => void texts.push(said);
    let runs = 0;
    const fail = subscriber('fail', () => {
      runs += 1;
      throw new Error(text);
    });
    await using outbox = open(clone, [fail], { log: { ...quiet, warn: note, error: note } });
    await say(clone, 1);
    outbox.wake();
    await until('it failed', async () => {
      const [job] = await clone.ask<{ locked_at: Date | null; attempts: number }>(
        'select locked_at, attempts from graphile_worker._private_jobs',
      );
      return runs > 0 && job?.locked_at === null;
    });
    await until('parked', async () => (await hurry(clone), (await countParked(clone.db)) === 1));
    const [parked] = await listParked(clone.db, 1);
    assert.match(parked?.last_error ?? '', /^a/);
    assert.deepEqual(
      texts.filter((said) => /worker lost|seppuku/.test(said)),
      [],
    );
    assert.equal(runs, 12);
  });

test('a row that another session locks holds a job of many messages for a few timeouts, not for one of each', async () => {
  await using clone = await migratedClone();
  let waited = 0;
  const done = new Set<string>();
  const ids = await say(clone, 30);
  let locked: readonly string[] = ids;
  const wait = (messages: Messages): void => {
    const some = messages.map(({ payload }) => payload.article_id);
    if (some.some((id) => locked.includes(id))) {
      waited += 1;
      throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
    }
    for (const id of some) done.add(id);
  };
  const look: Subscriber<ArticleChanged> = {
    ...subscriber('look', (message) => wait([message])),
    many: { atOnce: 30, run: async (messages) => wait(messages) },
  };
  await using outbox = open(clone, [look]);
  await noteWaits(clone);
  const untilFailed = (times: number) =>
    until(`attempt ${times} is over`, async () => {
      const rows = await clone.ask<{ attempts: number }>(
        'select attempts from graphile_worker._private_jobs where locked_at is null',
      );
      return rows[0]?.attempts === times;
    });
  outbox.wake();
  await untilFailed(1);
  assert.equal(waited, 3, 'all at once, and two of them');
  locked = ids.slice(0, 1);
  await hurry(clone);
  await untilFailed(2);
  assert.equal(waited, 5, 'all at once, and the one');
  assert.equal(done.size, ids.length - 1, 'the others are done');
  locked = [];
  await hurry(clone);
  await until('no job is left', async () => (await jobs(clone)) === 0);
  assert.equal(done.size, ids.length);
});

test('what the queue refuses is a warning once a minute, and is moved when it is taken again', async () => {
  await using clone = await migratedClone();
  const warnings: unknown[] = [];
  const tried: unknown[] = [];
  const note = (into: unknown[]) => (fields: { readonly err?: Error }, text: string) => {
    if (text.startsWith('The relay could not move')) into.push(fields.err?.message);
  };
  await clone.ask(`
    create function refuse_job() returns trigger language plpgsql as
    $$ begin raise 'the queue is full'; end $$;
    create trigger refuse_job before insert on graphile_worker._private_jobs
    for each row execute function refuse_job()`);
  let done = 0;
  const see = subscriber('see', () => void (done += 1));
  const log = { ...quiet, warn: note(warnings), debug: note(tried) };
  await using outbox = open(clone, [see], { log });
  await say(clone, 3);
  outbox.wake();
  await until('it was tried three times', () => tried.length + warnings.length >= 3);
  assert.deepEqual(warnings, ['the queue is full']);
  await clone.ask('drop function refuse_job() cascade');
  await until('all are done', () => done === 3);
});
