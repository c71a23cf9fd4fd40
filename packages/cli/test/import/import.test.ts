// Imports of an export of one real service into another: complete, once, whatever happens in between.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { createClient } from '@colophon/sdk';
import type { Client } from '@colophon/sdk';
import { effort } from '../../../server/test/effort.ts';
import { forgetKeys } from '../../../server/test/forgotten-keys.ts';
import { startServer } from '../../../server/test/harness.ts';
import { startLimitedServer } from '../../../server/test/limits-file.ts';
import { aModerator } from '../../../server/test/moderators.ts';
import { importInto, openSource } from '../../src/import/index.ts';
import type { ImportOptions, ImportReport } from '../../src/import/index.ts';
import { openHome } from '../run-cli.ts';
import { startBadProxy } from './bad-proxy.ts';
import { allArticles, assertSameArticles, assertSameMedia } from './compare.ts';
import { downloadExport, mortal } from './exported.ts';
import { anOrigin, clientOf } from './origin-account.ts';

const serverA = await startServer();
// Its pipeline would make the variants of every image, each in a process.
const serverB = await startServer({ ROLE: 'web' });
const folder = await mkdtemp(join(tmpdir(), 'colophon-import-'));
const archive = join(folder, 'export.zip');
let origin: Client;

before(async () => {
  origin = (await anOrigin(serverA)).client;
  await writeFile(archive, await downloadExport(origin));
});

after(async () => {
  await serverA[Symbol.asyncDispose]();
  await serverB[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function run(client: Client, options: ImportOptions = {}): Promise<ImportReport> {
  await using source = await openSource(archive);
  return await importInto(client, source, options);
}

/** What every run counts: the article that was removed. */
const nothing = {
  imported: 0,
  present: 0,
  not_imported: 1,
  would_import: 0,
  unfinished: 0,
  media_uploaded: 0,
};

test('an export is imported whole, and a second import adds nothing', async () => {
  const client = clientOf(serverB, await serverB.register());
  const first = await run(client);
  assert.deepEqual(
    first.items.map(({ outcome, notes }) => [outcome, ...notes]),
    [['not_imported', 'It was removed at its origin.']],
  );
  assert.deepEqual(first.counts, { ...nothing, imported: 5, media_uploaded: 2 });
  assert.match(first.left_out.join(' '), /Comments are not imported.*Signing keys are not/);
  await assertSameArticles(origin, client);
  await assertSameMedia(origin, client);
  assert.deepEqual((await run(client)).counts, { ...nothing, present: 5 });
  await forgetKeys(serverB);
  assert.deepEqual((await run(client)).counts, { ...nothing, present: 5 });
  await assertSameArticles(origin, client);
  await assertSameMedia(origin, client);
});

test('an export that is imported into its own account adds nothing', async () => {
  const own = await allArticles(origin);
  assert.deepEqual((await run(origin)).counts, { ...nothing, present: 5 });
  assert.deepEqual(
    (await allArticles(origin)).map(({ id, revision_id }) => [id, revision_id]),
    own.map(({ id, revision_id }) => [id, revision_id]),
  );
});

test('what happened to originals since the export is listed, and stays', async () => {
  const human = await serverA.register();
  const own = clientOf(serverA, human);
  const titles = ['As it was', 'Revised', 'Deleted', 'Delisted'] as const;
  const ids: string[] = [];
  for (const title of titles) ids.push((await serverA.published(human, { title })).id);
  const [asItWas = '', revised = '', deleted = '', delisted = ''] = ids;
  const file = join(folder, 'own.zip');
  await writeFile(file, await downloadExport(own));
  const { revision_id } = await own.readArticle({ id: revised });
  const text = { title: 'Revised', content: 'Another text.' };
  await own.createRevision({ id: revised, expected_revision_id: revision_id, ...text });
  await own.publishArticle({ id: revised });
  await own.deleteArticle({ id: deleted });
  const moderator = clientOf(serverA, await aModerator(serverA));
  const target = { target_type: 'article', target_id: delisted } as const;
  const reason = { action: 'de-index', reason_code: 'spam', source: 'proactive' } as const;
  await moderator.createModerationAction({ ...target, ...reason });
  await using source = await openSource(file);
  const { counts, items } = await importInto(own, source);
  assert.deepEqual(counts, { ...nothing, present: 3, not_imported: 1 });
  const notes = new Map(items.map(({ id, notes: said }) => [id, said.join(' ')]));
  assert.match(notes.get(revised) ?? '', /changed at the service since the export/);
  assert.match(notes.get(deleted) ?? '', /has been removed from the service/);
  assert.match(notes.get(delisted) ?? '', /taken it out of the lists/);
  assert.equal(notes.has(asItWas), false);
  assert.equal((await allArticles(own)).length, 2);
});

test('an account that is in use keeps what it has', async () => {
  const human = await serverB.register();
  const own = await serverB.published(human, { title: 'My own' });
  const client = clientOf(serverB, human);
  await run(client);
  const titles = (await allArticles(client)).map(({ title }) => title);
  assert.equal(titles.length, 6);
  assert.equal((await client.readArticle({ id: own.id })).title, 'My own');
});

test('a dry run writes nothing', async () => {
  const client = clientOf(serverB, await serverB.register());
  const { counts } = await run(client, { dryRun: true });
  assert.deepEqual(counts, { ...nothing, would_import: 5 });
  assert.deepEqual(await allArticles(client), []);
});

test('two imports at once add each article and each file once', async () => {
  const client = clientOf(serverB, await serverB.register());
  await Promise.all([run(client), run(client)]);
  await assertSameArticles(origin, client);
  await assertSameMedia(origin, client);
});

test('an import that dies after any request is completed by the next one', async () => {
  const whole = mortal(serverB, (await serverB.register()).token, Infinity);
  await run(whole.client);
  const total = whole.seen();
  assert.ok(total > 25);
  const step = effort(8, 1);
  for (let answers = 9; answers < total; answers += step) {
    const human = await serverB.register();
    const { stopped } = await run(mortal(serverB, human.token, answers).client, { patience: 0 });
    assert.match(stopped?.reason ?? '', /it continues where it stopped/, `after ${answers}`);
    if (answers % 2 === 0) await forgetKeys(serverB);
    const client = clientOf(serverB, human);
    const { counts } = await run(client);
    assert.equal(counts.imported + counts.present, 5, `after ${answers}`);
    await assertSameArticles(origin, client);
    await assertSameMedia(origin, client);
  }
});

test('a service that refuses requests and loses answers gets each article and file once', async () => {
  const human = await serverB.register();
  await using proxy = await startBadProxy(serverB.baseUrl);
  const retry = { attempts: 6, baseMs: 2, capMs: 5 };
  const client = createClient({ baseUrl: proxy.baseUrl, token: human.token, retry });
  const { counts, stopped } = await run(client);
  assert.equal(stopped, null);
  assert.equal(counts.imported, 5);
  assert.ok(proxy.counts.refused > 5 && proxy.counts.lost > 5);
  await assertSameArticles(origin, clientOf(serverB, human));
  await assertSameMedia(origin, clientOf(serverB, human));
});

test('an import that is killed is completed by the next one', async () => {
  const human = await serverB.register();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'import-child.ts'), archive], {
    env: { ...process.env, IMPORT_URL: serverB.baseUrl, IMPORT_TOKEN: human.token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout))
    if (line === 'article 2') child.kill('SIGKILL');
  const [, signal] = child.exitCode === null ? await once(child, 'exit') : [];
  assert.equal(signal ?? child.signalCode, 'SIGKILL');
  await forgetKeys(serverB);
  await run(clientOf(serverB, human));
  await assertSameArticles(origin, clientOf(serverB, human));
  await assertSameMedia(origin, clientOf(serverB, human));
});

test('an allowance that is used up stops the import, which says when to continue', async () => {
  await using server = await startLimitedServer({ quotas: { 'revisions.create': [1, 1, 1, 1] } });
  const human = await server.register();
  const client = clientOf(server, human);
  for (const imported of [3, 0]) {
    // In the last minutes of an hour, an import would wait for the next one.
    const { stopped, counts, items } = await run(client, { longestWaitMs: 0 });
    assert.match(
      stopped?.reason ?? '',
      /The allowance of 1 for revisions\.create in this hour is used up\. Run the import again after \d{4}-\d\d-\d\d \d\d:00 UTC: it continues/,
    );
    assert.match(stopped?.continue_at ?? '', /^\d{4}-.*:00:00\.000Z$/);
    assert.ok(counts.imported <= imported);
    // What is not complete is listed, and no reader can see it.
    for (const { id } of items.filter((item) => item.id !== undefined))
      assert.equal((await client.readArticle({ id: id ?? '' })).status, 'draft');
    const listed = counts.unfinished + counts.not_imported;
    assert.equal(items.length, listed);
  }
  await using home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: human.token });
  const { code, out, err } = await home.run(['import', archive, '--wait', '0', '--json']);
  assert.equal(code, 1);
  assert.match(JSON.parse(out).stopped.continue_at, /:00:00\.000Z$/);
  assert.match(err, /Run the import again after \d{4}-\d\d-\d\d \d\d:00 UTC/);
});

test('a token without the scopes is refused before anything is read', async () => {
  const human = await serverB.register();
  const token = await serverB.tokenWith(human, ['articles:read', 'articles:write']);
  await assert.rejects(
    run(clientOf(serverB, { token })),
    /The token lacks articles:publish, media:write\. Issue a token/,
  );
});
