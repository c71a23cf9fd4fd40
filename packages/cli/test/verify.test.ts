// verify: what a file, a folder or an export that somebody else made can prove, and what it cannot.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ProvenText } from '@colophon/sdk';
import { hashOf } from '../../sdk/test/proofs.ts';
import type { SignedProof } from '../../sdk/test/proofs.ts';
import { startServer } from '../../server/test/harness.ts';
import { extractFiles } from '../../server/test/exports.ts';
import { freshKeyPair } from '../../server/test/key-pairs.ts';
import { aSigner, signedArticle } from '../../server/test/signed-articles.ts';
import { zipOf } from './import/zip-writer.ts';
import { openHome } from './run-cli.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const signer = await aSigner(server);
const { id } = await signedArticle(server, signer);
const home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: signer.token });
after(() => home[Symbol.asyncDispose]());
const offline = { env: { COLOPHON_URL: 'http://127.0.0.1:9', COLOPHON_TOKEN: '' } };
const kept = ['--trusted', 'evidence/trusted.json'];

await home.out(['verify', id, '--save', 'evidence']);
const readJson = async (name: string) =>
  JSON.parse(await readFile(join(home.folder, name), 'utf8'));
const write = (name: string, value: unknown) =>
  writeFile(join(home.folder, name), JSON.stringify(value));

/** The Markdown file of the article in an export. */
function markdownIn(files: ReadonlyMap<string, Buffer>): readonly [name: string, text: string] {
  const name = [...files.keys()].find((one) => one.startsWith('articles/')) ?? '';
  return [name, String(files.get(name))];
}

/** Puts another title and text into a Markdown file of an export. */
function rewritten(markdown: string, { title, content }: ProvenText): string {
  const [head = ''] = markdown.split('\n---\n');
  const front = head.replace(/^title: .*$/m, () => `title: ${JSON.stringify(title)}`);
  return `${front}\n---\n\n${content}`;
}

interface Forgery {
  readonly proof: object;
  readonly publicKey: string;
}

/** Puts another text and key into a proof, under the name of its author. */
function forge(genuine: unknown, text: ProvenText): Forgery {
  const { signing_input: before, signature: by, ...proof } = genuine as SignedProof;
  const pair = freshKeyPair();
  const publicKey = pair.publicKey.toString('base64url');
  const content_hash = hashOf(text);
  const signing_input = before.replace(/sha256:\w+$/, content_hash);
  const signature = {
    ...by,
    signature: pair.sign(signing_input).toString('base64url'),
    key: { ...by.key, public_key: publicKey },
  };
  return { proof: { ...proof, content_hash, signing_input, log: null, signature }, publicKey };
}

/** A forgery in a file and in a folder: a genuine agent and article, with the key of somebody else. */
async function forgeEvidence(): Promise<void> {
  const text = { title: 'Forged', content: 'Never written.', metadata: {} };
  const { proof, publicKey } = forge(await readJson('evidence/proof.json'), text);
  const genuine = await readJson('evidence/trusted.json');
  const keys = genuine.keys.map((key: object) => ({ ...key, public_key: publicKey }));
  const trusted = { ...genuine, keys };
  await write('forged.json', { proof, revision: text, trusted });
  await write('proof.json', proof);
  await write('revision.json', text);
  await write('trusted.json', trusted);
}

test('a forged file or folder with its own keys is not valid, and the failure says how to check it', async () => {
  await forgeEvidence();
  for (const word of ['forged.json', '.']) {
    const { code, out, err } = await home.run(['verify', word], offline);
    assert.equal(code, 3, word);
    assert.match(out, /^Consistent, but not valid\nThe keys came with the file/);
    assert.match(err, /nothing is proven: the keys came with the file\.\nNext: .*--trusted FILE/);
    const verdict = JSON.parse((await home.run(['verify', word, '--json'], offline)).out);
    assert.deepEqual(
      [verdict.result, verdict.valid, verdict.reason, verdict.key.according_to],
      ['consistent', false, 'no-trust', 'proof'],
    );
    assert.ok(verdict.not_checked.includes('author'));
    const against = await home.run(['verify', word, ...kept, '--json'], offline);
    assert.deepEqual([against.code, JSON.parse(against.out).reason], [3, 'unknown-key']);
  }
});

test('genuine files are valid by keys that the caller names, and refused if they contradict their own', async () => {
  const folder = await home.run('verify evidence', offline);
  assert.deepEqual([folder.code, folder.out.startsWith('Consistent, but')], [3, true]);
  const verdict = await home.json(['verify', 'evidence', ...kept], offline);
  assert.deepEqual([verdict.result, verdict.key.according_to], ['valid', 'key-history']);
  const [proof, revision, trusted] = await Promise.all(
    ['proof', 'revision', 'trusted'].map((name) => readJson(`evidence/${name}.json`)),
  );
  const past = '2001-01-01T00:00:00.000Z';
  const keys = trusted.keys.map((key: object) => ({ ...key, status: 'revoked', revoked_at: past }));
  await write('revoked.json', { proof, revision, trusted: { ...trusted, keys } });
  const { code, out } = await home.run('verify revoked.json', offline);
  assert.deepEqual([code, out.startsWith('Refused\nkey: ')], [3, true]);
});

test('an export without signatures and without the log is not valid, whatever keys the caller names', async () => {
  await home.out('export stripped.zip');
  const files = await extractFiles(await readFile(join(home.folder, 'stripped.zip')));
  const forged = { title: 'Forged', content: 'Never written.', metadata: {} };
  const record = JSON.parse(String(files.get(`data/articles/${id}.json`)));
  const [revision] = record.revisions;
  const path = `proofs/${id}/${revision.revision_id}.json`;
  const { signing_input: before, ...proof } = JSON.parse(String(files.get(path)));
  const content_hash = hashOf(forged);
  const signing_input = before.replace(/sha256:\w+$/, content_hash);
  const [copy, markdown] = markdownIn(files);
  const changed = new Map<string, string | Buffer>(files)
    .set(copy, rewritten(markdown, forged))
    .set(
      path,
      JSON.stringify({ ...proof, content_hash, signing_input, signature: null, log: null }),
    )
    .set(
      `data/articles/${id}.json`,
      JSON.stringify({ ...record, revisions: [{ ...revision, ...forged, content_hash }] }),
    );
  await writeFile(
    join(home.folder, 'stripped.zip'),
    zipOf([...changed].map(([name, content]) => ({ name, content }))),
  );
  const { code, out, err } = await home.run(['verify', 'stripped.zip', ...kept], offline);
  assert.equal(code, 3);
  assert.match(out, /^Consistent, but not valid: .* neither signed nor in the log\n/);
  assert.match(out, new RegExp(`${id}, revision \\w+: neither signed nor in the log`));
  assert.match(err, /^colophon: 1 of 1 published revisions are not proven.*\nNext: /);
  const json = await home.run(['verify', 'stripped.zip', ...kept, '--json'], offline);
  const { result, unproven, faults } = JSON.parse(json.out);
  const place = { article_id: id, revision_id: revision.revision_id };
  assert.deepEqual([json.code, result, unproven, faults], [3, 'consistent', [place], []]);
  for (const name of changed.keys())
    if (/^(?:proofs|articles|data\/articles)\//.test(name)) changed.delete(name);
  await writeFile(
    join(home.folder, 'empty.zip'),
    zipOf([...changed].map(([name, content]) => ({ name, content }))),
  );
  const empty = await home.run(['verify', 'empty.zip', ...kept], offline);
  assert.deepEqual([empty.code, empty.out.startsWith('Nothing to verify')], [3, true]);
});

test('a forged export with its own keys is not valid, and a genuine one only by keys that the caller names', async () => {
  await home.out('export genuine.zip');
  const genuine = await home.run('verify genuine.zip --json', offline);
  const report = JSON.parse(genuine.out);
  assert.deepEqual([genuine.code, report.result, report.keys_from], [3, 'consistent', 'export']);
  const trusted = await home.json(['verify', 'genuine.zip', ...kept], offline);
  assert.deepEqual([trusted.result, trusted.keys_from, trusted.signed], ['valid', 'option', 1]);
  const files = await extractFiles(await readFile(join(home.folder, 'genuine.zip')));
  const path = [...files.keys()].find((name) => name.startsWith('proofs/')) ?? '';
  const record = JSON.parse(String(files.get(`data/articles/${id}.json`)));
  const { proof, publicKey } = forge(JSON.parse(String(files.get(path))), record.revisions[0]);
  const key = JSON.parse(String(files.get('data/keys.jsonl')));
  const changed = new Map<string, string | Buffer>(files)
    .set(path, JSON.stringify(proof))
    .set('data/keys.jsonl', JSON.stringify({ ...key, public_key: publicKey }));
  const entries = [...changed].map(([name, bytes]) => ({ name, content: bytes }));
  await writeFile(join(home.folder, 'forged.zip'), zipOf(entries));
  const forged = await home.run('verify forged.zip', offline);
  assert.equal(forged.code, 3);
  assert.match(forged.out, /^Consistent, but not valid: the keys are those of the export\n/);
  assert.match(forged.err, /Next: .*--trusted FILE/);
  const against = await home.run(['verify', 'forged.zip', ...kept, '--json'], offline);
  assert.deepEqual(
    JSON.parse(against.out).faults.map((fault: { reason: string }) => fault.reason),
    ['unknown-key'],
  );
});

test('a genuine proof in the place of another revision proves nothing', async () => {
  const { id: otherId, revision_id: otherRevision } = await signedArticle(server, signer);
  await home.out('export moved.zip');
  const files = await extractFiles(await readFile(join(home.folder, 'moved.zip')));
  const read = (name: string) => JSON.parse(String(files.get(name)));
  const [own, other] = [id, otherId].map((one) => read(`data/articles/${one}.json`));
  const [revision] = own.revisions;
  const proof = read(`proofs/${otherId}/${otherRevision}.json`);
  const ownProof = read(`proofs/${id}/${revision.revision_id}.json`);
  const { title, content, metadata, content_hash } = other.revisions[0];
  // The text of another article, and the text of this one with another time.
  const records = [
    [{ ...revision, title, content, metadata, content_hash }, proof],
    [{ ...revision, created_at: '2001-01-01T00:00:00.000Z' }, ownProof],
  ] as const;
  const [copy] = [...files.keys()].filter((one) => one.endsWith(`-${id}.md`));
  for (const [record, placed] of records) {
    const changed = new Map<string, string | Buffer>(files)
      .set(`data/articles/${id}.json`, JSON.stringify({ ...own, revisions: [record] }))
      .set(`proofs/${id}/${revision.revision_id}.json`, JSON.stringify(placed))
      .set(copy ?? '', rewritten(String(files.get(copy ?? '')), record));
    const entries = [...changed].map(([name, bytes]) => ({ name, content: bytes }));
    await writeFile(join(home.folder, 'moved.zip'), zipOf(entries));
    const { code, out } = await home.run(['verify', 'moved.zip', ...kept, '--json'], offline);
    const { result, faults } = JSON.parse(out);
    assert.deepEqual([code, result], [3, 'refused'], out);
    assert.deepEqual(
      faults.map((fault: { reason: string; article_id: string }) => [
        fault.reason,
        fault.article_id,
      ]),
      [['other-revision', id]],
    );
  }
});

test('a Markdown file of an export that does not have the proven text is a fault', async () => {
  const awkward = {
    title: 'A "title": --- # and \\ more\u2028é',
    content: '---\ntitle: x\n---\n\n\n text\u202e \tend',
    metadata: { null: null, '<<': { 1: -0.5, zero: 0 }, list: ['- a', 1e21, true], __a__: '~' },
  };
  const awkwardId = (await server.published(signer, awkward)).id;
  await server.draft(signer, { title: 'A draft' });
  await home.out('export copies.zip');
  const sound = await home.run('verify copies.zip --json', offline);
  assert.deepEqual(JSON.parse(sound.out).faults, []);
  const files = await extractFiles(await readFile(join(home.folder, 'copies.zip')));
  const name = [...files.keys()].find((one) => one.endsWith(`-${awkwardId}.md`)) ?? '';
  const markdown = String(files.get(name));
  const changes: readonly (readonly [string, string | undefined, RegExp])[] = [
    [name, rewritten(markdown, { title: awkward.title, content: 'Forged.' }), /not have the title/],
    [
      name,
      rewritten(markdown, { title: 'Forged', content: awkward.content }),
      /not have the title/,
    ],
    [name, `${markdown}\n`, /not have the title/],
    [name, markdown.replace('"~"', '"forged"'), /not have the title/],
    [name, markdown.replace(/^revision_id: .*$/m, `revision_id: "${id}"`), /another article/],
    [name, 'Forged.', /cannot be read/],
    [name, '---\na: [\n---\n\nForged.', /cannot be read/],
    [name, undefined, /is missing/],
    [`articles/second-${awkwardId}.md`, markdown, /2 Markdown files/],
    ['articles/forged.md', 'Forged.', /no record of "articles\/forged\.md"/],
  ];
  for (const [path, content, detail] of changes) {
    const changed = new Map<string, string | Buffer>(files);
    if (content === undefined) changed.delete(path);
    else changed.set(path, content);
    const entries = [...changed].map(([one, bytes]) => ({ name: one, content: bytes }));
    await writeFile(join(home.folder, 'changed.zip'), zipOf(entries));
    const { code, out } = await home.run('verify changed.zip --json', offline);
    const { result, faults } = JSON.parse(out);
    assert.deepEqual([code, result, faults.length], [3, 'refused', 1], String(content));
    assert.equal(faults[0].reason, 'markdown-file');
    assert.match(faults[0].detail, detail);
    const shown = await home.run('verify changed.zip', offline);
    assert.match(shown.err, /^colophon: The export has 1 wrong Markdown file\.\nNext: Rely on/);
  }
});
