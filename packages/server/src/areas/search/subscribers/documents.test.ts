// Search rows on a real PostgreSQL, as articles change.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '#lib/id';
import { bucket, findDocument, index, publish, revise, withAuthor } from '#test/indexed-articles';
import { migratedClone } from '#test/migrated-clone';
import type { Clone } from '#test/throw-away-database';
import { configurationOf } from '../rules/index-tags.ts';
import { indexedLengths, isTooManyWords } from './documents.ts';

const foundBy = { words: [], title_length: 0, marks: [], published_at: '2026-01-31T09:30:00.000Z' };
let clone: Clone;

before(async () => {
  clone = await withAuthor();
});

after(async () => {
  await clone[Symbol.asyncDispose]();
});

test('a listed article is indexed by title and text, stemmed in its language', async () => {
  const id = await publish(clone, {
    title: 'Running dogs',
    content: 'They were jumping',
    topics: ['Deep Sea', 'c++', 'x'],
  });
  await index(clone, id);
  assert.equal((await findDocument(clone, id))?.document, "'dog':2A 'jump':5B 'run':1A");
});

test('again, it changes nothing; a new revision replaces the document', async () => {
  const id = await publish(clone, { title: 'One', content: 'old', topics: ['stays', 'goes'] });
  await index(clone, id);
  const first = await findDocument(clone, id);
  await index(clone, id);
  assert.deepEqual(await findDocument(clone, id), first);
  const revision = await revise(clone, id, {
    title: 'Two',
    content: 'new',
    topics: ['stays', 'comes'],
  });
  await index(clone, id);
  assert.deepEqual(await findDocument(clone, id), {
    revision_id: revision,
    document: "'new':2B 'two':1A",
  });
});

test('an article that is no longer listed leaves search, and comes back', async () => {
  const id = await publish(clone, { topics: ['here'] });
  await index(clone, id);
  for (const [off, on] of [
    ["visibility = 'unlisted'", "visibility = 'public'"],
    ["status = 'removed'", "status = 'published'"],
    ['deindexed = true', 'deindexed = false'],
  ] as const) {
    await clone.ask(`update articles set ${off} where bucket = $1 and id = $2`, [bucket, id]);
    await index(clone, id);
    assert.equal(await findDocument(clone, id), undefined, off);
    await clone.ask(`update articles set ${on} where bucket = $1 and id = $2`, [bucket, id]);
    await index(clone, id);
    assert.ok(await findDocument(clone, id), on);
  }
});

test('an article that does not exist leaves nothing behind', async () => {
  const id = newId(bucket);
  await index(clone, id);
  assert.equal(await findDocument(clone, id), undefined);
});

test('runs at once while the article changes end in its last state', async () => {
  const id = await publish(clone, { topics: ['start'] });
  const runs: Promise<void>[] = [];
  let last = '';
  for (let round = 0; round < 30; round += 1) {
    runs.push(index(clone, id));
    if (round % 5 === 4)
      await clone.ask(
        "update articles set visibility = case when visibility = 'public' then 'unlisted' else 'public' end where bucket = $1 and id = $2",
        [bucket, id],
      );
    last = await revise(clone, id, { title: `Round${round}`, topics: [`round-${round}`] });
    runs.push(index(clone, id));
    // More would wait in line, and a slow machine refuses those.
    if (round % 5 === 4) await Promise.all(runs);
  }
  await clone.ask("update articles set visibility = 'public' where bucket = $1 and id = $2", [
    bucket,
    id,
  ]);
  runs.push(index(clone, id), index(clone, id));
  await Promise.all(runs);
  assert.equal((await findDocument(clone, id))?.revision_id, last);
});

test('how much of a text fits depends on its words; what does not fit is told apart by its code', async () => {
  const many =
    "select to_tsvector('simple', string_agg('a' || i || '-b' || i, ' ')) from generate_series(1, 40000) i";
  const refused = await clone.ask(many).then(
    () => undefined,
    (error: Error) => error,
  );
  assert.equal(isTooManyWords(refused), true);
  assert.equal(isTooManyWords(new Error('something else')), false);
});

test('the largest texts are indexed, by as many of their first words as fit', async () => {
  const words = Array.from({ length: 150_000 }, (_, word) => `w${word.toString(36)}`)
    .join(' ')
    .slice(0, 1_048_576);
  const hyphens = Array.from(
    { length: 100_000 },
    (_, word) => `a${word.toString(36)}-b${word.toString(36)}`,
  )
    .join(' ')
    .slice(0, 1_048_576);
  for (const content of [
    words,
    hyphens,
    'same '.repeat(200_000),
    '字'.repeat(349_000),
    'x'.repeat(1_048_576),
  ]) {
    const id = await publish(clone, { title: 'Whale', content });
    await index(clone, id);
    const document = (await findDocument(clone, id))?.document ?? '';
    assert.match(document, /'whale':1A/);
    if (content === words) assert.match(document, /'w1':3B/);
  }
});

test('every language of PostgreSQL has a tag, and every tag finds a language that exists', async () => {
  const rows = await clone.ask<{ cfgname: string }>(
    "select cfgname from pg_ts_config where cfgnamespace = 'pg_catalog'::regnamespace order by cfgname",
  );
  const tags =
    'ar ca da de el en es et eu fi fr ga hi hu hy id it lt nb ne nl nn no pt ro ru sr sv ta tr yi und'.split(
      ' ',
    );
  const known = new Set<string>(rows.map((row) => row.cfgname));
  // Exists since version 18; the service runs on 15 and later too.
  const missing = known.has('estonian') ? [] : ['estonian'];
  const found = [...new Set(tags.map(configurationOf))];
  assert.deepEqual(found.sort(), [...known, ...missing].sort());
});

test('a language without a configuration is indexed word by word', async () => {
  for (const [language, stemmed] of [
    ['xx', "'running':1A"],
    ['und', "'running':1A"],
    ['en-GB', "'run':1A"],
    ['EN', "'run':1A"],
  ] as const) {
    const id = await publish(clone, { title: 'Running', content: '' }, language);
    await index(clone, id);
    assert.equal((await findDocument(clone, id))?.document, stemmed, language);
  }
});

test('a server that lacks a configuration falls back to simple', async () => {
  await using own = await migratedClone();
  const { setDocuments, lockSearchRows } = await import('../queries/documents.ts');
  await own.ask("insert into contents values (5, 'h', 'Running', '', '{}', '', now())");
  await own.ask(
    "insert into principals (bucket, id, kind, username, created_at) values (5, 'author', 'human', 'ann', now())",
  );
  await own.ask(`insert into articles (bucket, id, author_id, author_kind, status, visibility, language, disclosure, latest_revision_id, created_at, updated_at)
    values (5, 'a', 'author', 'human', 'draft', 'public', 'en', 'human_authored', 'r', now(), now())`);
  await own.ask(
    "insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at) values (5, 'a', 'r', 'h', '', now())",
  );
  await own.db.transaction(async (tx) => {
    const now = new Date().toISOString();
    await lockSearchRows(tx, [{ bucket: 5, id: 'a' }], now);
    const klingon = { revision_id: 'r', configuration: 'klingon', length: 10, ...foundBy };
    await setDocuments(tx, [{ bucket: 5, id: 'a', ...klingon }], now);
  });
  const [row] = await own.ask<{ document: string }>('select document::text from article_search');
  assert.equal(row?.document, "'running':1A");
});

test('less and less of a text is tried, at last nothing', () => {
  assert.equal(indexedLengths.at(-1), 0);
  for (const [place, length] of indexedLengths.entries())
    assert.ok(length > (indexedLengths[place + 1] ?? -1));
});

test('only SQLSTATE 54000 means too many words', () => {
  assert.equal(isTooManyWords(Object.assign(new Error('x'), { code: '54000' })), true);
  for (const other of [
    Object.assign(new Error('x'), { code: '54001' }),
    new Error('54000'),
    { code: '54000' },
    undefined,
  ]) {
    assert.equal(isTooManyWords(other), false);
  }
});
