// The commands export and import: an archive from one service to another, at the command line.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { extractFiles } from '../../../server/test/exports.ts';
import { startServer } from '../../../server/test/harness.ts';
import { aSigner, signedArticle } from '../../../server/test/signed-articles.ts';
import { provenLog } from '../../../server/test/transparency-log.ts';
import { makeNoteKey } from '../../../tlog/test/log-folder.ts';
import { isDamage, verifyArchive } from '../../src/import/index.ts';
import { openHome } from '../run-cli.ts';
import { startCuttingProxy, startLyingService } from './bad-proxy.ts';
import { seal } from './archive-builder.ts';
import { assertSameArticles } from './compare.ts';
import { anOrigin, clientOf } from './origin-account.ts';
import { zipOf } from './zip-writer.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const { client: origin, token } = await anOrigin(server);
const home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: token });
after(() => home[Symbol.asyncDispose]());

const parts = async () => (await readdir(home.folder)).filter((name) => name.endsWith('.part'));

test('an archive is saved, verified, and imported by another account', async () => {
  const { username } = (await origin.readMe()).principal;
  const out = await home.out('export');
  assert.match(out, /^Saved .*: 6 articles and 2 files, verified\.\n$/);
  const name = (await readdir(home.folder)).find((each) => each.endsWith('.zip')) ?? '';
  assert.match(name, new RegExp(`^colophon-export-${username}-\\d{4}-\\d\\d-\\d\\d\\.zip$`));
  const other = await server.register();
  const env = { COLOPHON_TOKEN: other.token };
  const checked = await home.out(['import', name, '--dry-run'], { env });
  assert.match(checked, /^Would import 5 articles from export of .*, 1 not imported\.\n/);
  const text = await home.out(['import', name], { env });
  assert.match(
    text,
    /^Imported 5 articles and 2 files from export of [\w-]+ at http:\S+, 1 not imported\.\n\n.+ \(not imported; \w{26}\)\n {2}It was removed at its origin\.\n\nComments are not/,
  );
  await assertSameArticles(origin, clientOf(server, other));
  const report = await home.json(['import', name], { env });
  assert.equal(report.counts.imported, 0);
  assert.equal(report.counts.present, 5);
  assert.equal(report.stopped, null);
});

test('files that pull and publish wrote add nothing to their own account, and another one takes them', async () => {
  const [author, other] = [await server.register(), await server.register()];
  const env = { COLOPHON_URL: server.baseUrl };
  await using own = await openHome({ ...env, COLOPHON_TOKEN: author.token });
  const notes = join(own.folder, 'notes');
  await mkdir(notes);
  const articles = [await server.published(author), await server.published(author)];
  const [pulled = '', deleted = ''] = articles.map(({ id }) => id);
  await own.out(['pull', pulled, 'notes/pulled.md']);
  await own.out(['pull', deleted, 'notes/deleted.md']);
  await writeFile(join(notes, 'written.md'), '# Written\n\nText.\n');
  const written = await own.json('publish notes/written.md');
  await server.ask('DELETE', `/v1/articles/${deleted}`, { token: author.token });
  for (const words of ['import notes --dry-run', 'import notes']) {
    const { counts, items } = await own.json(words);
    assert.equal(counts.present, 2);
    assert.equal(counts.not_imported, 1);
    assert.equal(counts.imported + counts.would_import, 0);
    const said = new Map<string, string>(
      items.map((item: { id: string; notes: string[] }) => [item.id, item.notes.join(' ')]),
    );
    assert.match(
      said.get(pulled) ?? '',
      /does not revise\. If pulled\.md has changed, .*`colophon publish`/,
    );
    assert.match(said.get(written.id) ?? '', / If written\.md has changed/);
    assert.match(said.get(deleted) ?? '', /removed from the service.* Without id and revision_id/);
  }
  const copies = await own.json('import notes', { env: { COLOPHON_TOKEN: other.token } });
  assert.equal(copies.counts.imported, 2);
});

test('a download goes on after lost connections, and in a later run', async () => {
  await using proxy = await startCuttingProxy(server.baseUrl, 1_000);
  const env = { COLOPHON_URL: proxy.baseUrl };
  proxy.cuts = 2;
  await home.out('export first.zip', { env });
  assert.equal(proxy.ranges.length, 3);
  assert.ok(proxy.ranges.some((range) => range !== undefined));
  const before = proxy.ranges.length;
  const ending = new AbortController();
  const watch = setInterval(() => {
    // A later part was requested: there is an earlier one in the file.
    if (proxy.ranges.slice(before).some((range) => range !== undefined)) ending.abort(new Error());
  }, 2);
  proxy.cuts = 1_000;
  const broken = await home.run('export second.zip', { env, signal: ending.signal });
  clearInterval(watch);
  assert.equal(broken.code, 130, broken.err);
  assert.equal((await parts()).length, 1);
  proxy.cuts = 0;
  const { file, id } = await home.json('export second.zip', { env });
  assert.equal(file, join(home.folder, 'second.zip'));
  assert.match(proxy.ranges.at(-1) ?? '', /^bytes=[1-9]\d*-$/);
  assert.deepEqual(await parts(), []);
  const whole = await (await origin.readExportContent({ id })).arrayBuffer();
  assert.deepEqual(await readFile(join(home.folder, 'second.zip')), Buffer.from(whole));
});

test('an archive is saved beside its target, for its owner only, and replaces nothing silently', async () => {
  const missing = await home.run('export none/a.zip');
  assert.equal(missing.code, 2);
  assert.match(missing.err, /There is no folder .*none\./);
  await mkdir(join(home.folder, 'some'));
  // On another disk than the folder of the command, a rename would fail.
  await using proxy = await startCuttingProxy(server.baseUrl, 1_000);
  proxy.cuts = 1_000;
  const ending = new AbortController();
  const watch = setInterval(() => proxy.ranges.length > 1 && ending.abort(new Error()), 2);
  const env = { COLOPHON_URL: proxy.baseUrl };
  await home.run('export some/a.zip', { env, signal: ending.signal });
  clearInterval(watch);
  assert.match((await readdir(join(home.folder, 'some'))).join(), /^colophon-export-\w{26}\.part$/);
  await home.out('export some/a.zip');
  const { mode } = await stat(join(home.folder, 'some/a.zip'));
  assert.equal(mode & 0o777, 0o600);
  const again = await home.run('export some/a.zip');
  assert.equal(again.code, 2);
  assert.match(again.err, /a\.zip exists\./);
  await home.out('export some/a.zip --force');
  assert.deepEqual(await readdir(join(home.folder, 'some')), ['a.zip']);
});

test('an id that leads out of the folder is refused', async () => {
  await using service = await startLyingService('../../x');
  const env = { COLOPHON_URL: service.baseUrl };
  const { code, err } = await home.run('export', { env });
  assert.equal(code, 1);
  assert.match(err, /an id that is not valid/);
});

test('a download that does not match its checksums is removed', async () => {
  const { id, byte_size } = await home.json('export third.zip');
  const part = join(home.folder, `colophon-export-${id}.part`);
  const bytes = await readFile(join(home.folder, 'third.zip'));
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
  assert.equal(bytes.length, byte_size);
  await writeFile(part, bytes);
  const { code, err } = await home.run('export fourth.zip');
  assert.equal(code, 1);
  assert.match(err, /does not match its checksum|cannot be read|not JSON/);
  assert.deepEqual(await parts(), []);
});

test('only a damaged download is removed, not one that a limit refuses', async () => {
  const file = join(home.folder, 'limits.zip');
  for (const [bytes, isDamaged] of [
    [Buffer.from('no archive'), true],
    [zipOf([{ name: 'n'.repeat(2_000), content: '' }]), false],
  ] as const) {
    await writeFile(file, bytes);
    await assert.rejects(verifyArchive(file, null), (error) => isDamage(error) === isDamaged);
  }
});

test('what is not an export is refused in one sentence, and exits with 1', async () => {
  await writeFile(
    join(home.folder, 'bad.zip'),
    zipOf([...seal([], 'https://a.example'), { name: '../x', content: '' }]),
  );
  for (const [path, message] of [
    ['bad.zip', /^colophon: .*invalid relative path/],
    ['none.zip', /^colophon: There is no file or folder .*none\.zip\.\n$/],
  ] as const) {
    const { code, out, err } = await home.run(['import', path]);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, message);
  }
});

/** An export of an agent with a signed public article and an unlisted one, and what the log says of the first. */
async function aSignedExport(name: string) {
  const signer = await aSigner(server);
  const signed = await signedArticle(server, signer);
  await server.published(signer, { visibility: 'unlisted' });
  const { log } = await provenLog(server, signed.id, signed.revision_id).then(
    (found) => found.proof,
  );
  await home.out(['export', name], { env: { COLOPHON_TOKEN: signer.token } });
  const files = await extractFiles(await readFile(join(home.folder, name)));
  return { files, path: `proofs/${signed.id}/${signed.revision_id}.json`, log };
}

test('the proofs of an export are verified without a network, also their part of the log', async () => {
  const { files, path, log } = await aSignedExport('signed.zip');
  const env = { COLOPHON_URL: 'http://127.0.0.1:9', COLOPHON_TOKEN: '' };
  const { code: unproven, out } = await home.run('verify signed.zip --json', { env });
  const report = JSON.parse(out);
  assert.deepEqual([unproven, report.result], [3, 'consistent']);
  assert.deepEqual(
    [report.proofs, report.signed, report.logged, report.faults, report.log_key_from],
    [2, 1, 1, [], 'export'],
  );
  const proof = JSON.parse(files.get(path)?.toString() ?? '');
  assert.equal(proof.log.entry, log.entry);
  const unlisted = [...files].find(([name]) => name.startsWith('proofs/') && name !== path);
  assert.equal(JSON.parse(unlisted?.[1].toString() ?? '').log, null);

  /** The reasons for which an archive with other members is refused. */
  async function reasons(proven: object, manifest: object = {}): Promise<readonly string[]> {
    const entries = [...files].map(([entry, content]) => {
      if (entry === path) return { name: entry, content: JSON.stringify(proven) };
      if (entry !== 'manifest.json') return { name: entry, content };
      return {
        name: entry,
        content: JSON.stringify({ ...JSON.parse(String(content)), ...manifest }),
      };
    });
    await writeFile(join(home.folder, 'changed.zip'), zipOf(entries));
    const refused = await home.run('verify changed.zip --json', { env });
    assert.equal(refused.code, 3);
    return JSON.parse(refused.out).faults.map(({ reason }: { reason: string }) => reason);
  }
  const inLog = (changes: object) => ({ ...proof, log: { ...proof.log, ...changes } });
  assert.deepEqual(await reasons(inLog({ index: proof.log.index + 1 })), ['log-inclusion']);
  const checkpoint = proof.log.checkpoint.replace(/\n\d+\n/, '\n7777\n');
  assert.deepEqual(await reasons(inLog({ checkpoint })), ['log-checkpoint']);
  const { text: other } = makeNoteKey(proof.log.origin, 1);
  assert.deepEqual(await reasons(proof, { log: { verifier_key: other } }), ['other-log']);
});
