// Tests of keyed reads on a real PostgreSQL: those of one turn are one statement, and each gets its own row.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { throwAwayDatabase } from '#test/throw-away-database';
import type { Clone } from '#test/throw-away-database';
import { readByHash, readById } from './keyed-read.ts';
import { sql } from './sql.ts';
import type { Statement } from './sql.ts';
import { turnReads } from './turn-reads.ts';

const server = await throwAwayDatabase();
after(() => server[Symbol.asyncDispose]());

interface Note {
  readonly body: string;
}

const note = readById(
  (bucket, id) => sql<Note>`
    select n.body
    from notes n
    where n.bucket = ${bucket} and n.id = ${id}`,
);
const loudNote = readByHash(
  (bucket, hash) => sql<Note>`
    select upper(n.body) as body
    from notes n
    where n.bucket = ${bucket} and n.id = encode(${hash}, 'hex')`,
);

async function openNotes(): Promise<Clone> {
  const clone = await server.clone();
  await clone.ask('create table notes (bucket smallint, id text, body text)');
  await clone.ask(
    `insert into notes select n, to_char(n, 'fm00'), 'note ' || n from generate_series(1, 40) as n`,
  );
  return clone;
}

const keyOf = (number: number) => ({ bucket: number, id: String(number).padStart(2, '0') });

/** A `find` with the names of the statements that it sent. */
function findOn({ db }: Clone) {
  const sent: string[] = [];
  const find = turnReads({
    rows: <R>(statement: Statement<R>) => {
      sent.push(statement.name);
      return db.rows(statement);
    },
  });
  return { find, sent };
}

test('reads of one turn are one statement; each gets its row, or undefined if there is none', async () => {
  await using clone = await openNotes();
  const { find, sent } = findOn(clone);
  const keys = [keyOf(7), keyOf(99), keyOf(3), { bucket: 8, id: '07' }];
  const found = await Promise.all(keys.map((key) => find(note, key)));
  assert.deepEqual(
    found.map((row) => row?.body),
    ['note 7', undefined, 'note 3', undefined],
  );
  assert.deepEqual(sent, [note.many(keys).name]);
});

test('a read that is alone is the statement of one key, as in a transaction', async () => {
  await using clone = await openNotes();
  const { find, sent } = findOn(clone);
  assert.equal((await find(note, keyOf(7)))?.body, 'note 7');
  assert.equal((await clone.db.find(note, keyOf(7)))?.body, 'note 7');
  const inside = await clone.db.transaction((tx) => tx.find(note, keyOf(8)));
  assert.equal(inside?.body, 'note 8');
  assert.deepEqual(sent, [note.one(keyOf(1)).name]);
});

test('the same key is read once; keys of different reads are not mixed', async () => {
  await using clone = await openNotes();
  const { find, sent } = findOn(clone);
  const hash = Buffer.from('07', 'hex');
  const found = await Promise.all([
    find(note, keyOf(7)),
    find(note, { bucket: 7, id: '07' }),
    find(loudNote, { bucket: 7, hash }),
    find(loudNote, { bucket: 8, hash: Buffer.from('08', 'hex') }),
  ]);
  assert.deepEqual(
    found.map((row) => row?.body),
    ['note 7', 'note 7', 'NOTE 7', 'NOTE 8'],
  );
  assert.deepEqual(sent, [note.one(keyOf(7)).name, loudNote.many([{ bucket: 7, hash }]).name]);
});

test('a turn with many reads has several statements of at most 16 keys', async () => {
  await using clone = await openNotes();
  const { find, sent } = findOn(clone);
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  const found = await Promise.all(numbers.map((number) => find(note, keyOf(number))));
  assert.deepEqual(
    found.map((row) => row?.body),
    numbers.map((number) => `note ${number}`),
  );
  assert.equal(sent.length, 3);
});

test('what is found is never older than the request', async () => {
  await using clone = await openNotes();
  const { find } = findOn(clone);
  for (let round = 0; round < 20; round += 1) {
    const earlier = find(note, keyOf(1));
    await clone.ask(`update notes set body = 'note ${round}' where id in ('01', '02')`);
    const later = await Promise.all([find(note, keyOf(1)), find(note, keyOf(2))]);
    assert.deepEqual(
      later.map((row) => row?.body),
      [`note ${round}`, `note ${round}`],
    );
    await earlier;
  }
});

test('a statement that fails fails for each of its requests, and for no later one', async () => {
  await using clone = await openNotes();
  const { find } = findOn(clone);
  await clone.ask('alter table notes rename to hidden');
  const refused = await Promise.allSettled([1, 2, 2].map((number) => find(note, keyOf(number))));
  for (const one of refused) {
    assert.equal(one.status, 'rejected');
    assert.match(String(one.reason), /relation "notes" does not exist/);
  }
  await clone.ask('alter table hidden rename to notes');
  const found = await Promise.all([1, 2].map((number) => find(note, keyOf(number))));
  assert.deepEqual(
    found.map((row) => row?.body),
    ['note 1', 'note 2'],
  );
});
