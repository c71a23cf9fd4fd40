// docs/verifying.md as it stands there, and the client's verifier, against the real server.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient, readKeyHistory, verifyProof } from '@colophon/sdk';
import { startServer } from '#test/harness';
import {
  anotherKey,
  aSigner,
  publish,
  revise,
  revoke,
  signatureOf,
  signedArticle,
} from '#test/signed-articles';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const page = await readFile(join(root, 'docs/verifying.md'), 'utf8');
const text = {
  title: 'Verify “me”',
  content: 'Line\r\n\n    code 😀',
  metadata: { n: [1.5, 'é'] },
};

/** The blocks of one language, in their order. */
function blocks(language: string): string {
  const found = page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...found].map((match) => match[1]).join('');
}

function whatIsMissing(...programs: readonly string[]): string | false {
  const absent = programs.filter((program) => {
    try {
      execFileSync(program, ['--help'], { stdio: 'ignore' });
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
  });
  return absent.length > 0 && `${absent.join(', ')} is not on this machine`;
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-verify-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a signed revision verifies from what the client read, with its text and the revision before', async () => {
  const signer = await aSigner(server);
  const client = createClient({ baseUrl: server.baseUrl });
  const first = await signedArticle(server, signer, text);
  const second = await revise(server, signer, first, 'Second.');
  const body = signatureOf(signer, second.signing_input);
  assert.equal((await publish(server, signer, first.id, { body })).status, 200);
  const [before, proof] = await Promise.all(
    [first, second].map(({ revision_id }) => client.readProof({ id: first.id, revision_id })),
  );
  const article = await client.readArticle({ id: first.id });
  const trusted = await readKeyHistory(client, signer);
  const verdict = await verifyProof(proof, { text: article, previous: before, trusted });
  assert.ok(verdict.valid, JSON.stringify(verdict));
  assert.equal(verdict.author_id, signer.id);
  assert.deepEqual([verdict.key.id, verdict.key.status], [signer.keyId, 'active']);
  assert.deepEqual(verdict.not_checked, ['previous', 'signed_at', 'published_at', 'log']);
  assert.ok((await verifyProof(before, { text, trusted })).valid);
  const unknown = await verifyProof(proof, { text: article });
  assert.ok(unknown.result === 'consistent' && unknown.reason === 'no-trust');
  const swapped = await verifyProof(before, { text: article, trusted });
  assert.ok(!swapped.valid && swapped.reason === 'content-hash');
  const { id, revision_id } = await server.published(signer);
  const none = await verifyProof(await client.readProof({ id, revision_id }));
  assert.ok(!none.valid && none.reason === 'unsigned');
});

test('a history fetched now says after a revocation whether the signature still counts', async () => {
  const signer = await aSigner(server);
  const client = createClient({ baseUrl: server.baseUrl });
  const { id, revision_id, signing_input } = await signedArticle(server, signer, text);
  const old = await client.readProof({ id, revision_id });
  const signedAt = old.signature?.signed_at ?? '';
  const verdict = async (proof: unknown, seenAt?: string) => {
    const trusted = { ...(await readKeyHistory(client, signer)), seenAt };
    const { result, ...rest } = await verifyProof(proof, { text, trusted });
    return [result, 'reason' in rest ? rest.reason : rest.key.status];
  };
  await revoke(server, signer, signer.keyId);
  assert.deepEqual(await verdict(old), ['valid', 'revoked']);
  const later = new Date(Date.parse(signedAt) + 1).toISOString();
  await revoke(server, signer, signer.keyId, later);
  for (const proof of [old, await client.readProof({ id, revision_id })]) {
    assert.deepEqual(await verdict(proof), ['consistent', 'compromised-key']);
    assert.deepEqual(await verdict(proof, signedAt), ['valid', 'compromised']);
  }
  await revoke(server, signer, signer.keyId, signedAt);
  for (const proof of [old, await client.readProof({ id, revision_id })])
    assert.deepEqual(await verdict(proof), ['refused', 'key']);
  const body = signatureOf(await anotherKey(server, signer), signing_input);
  assert.equal((await publish(server, signer, id, { body })).status, 200);
  assert.deepEqual(await verdict(await client.readProof({ id, revision_id })), ['valid', 'active']);
});

test('a revision that was published before it was signed is judged by when it was signed', async () => {
  const signer = await aSigner(server);
  const draft = await server.draft(signer, text);
  await publish(server, signer, draft.id, { body: {} });
  const between = new Date().toISOString();
  const key = await anotherKey(server, signer);
  await publish(server, signer, draft.id, { body: signatureOf(key, draft.signing_input) });
  const path = `/v1/articles/${draft.id}/revisions/${draft.revision_id}/proof`;
  const { body: proof } = await server.ask('GET', path);
  assert.ok(proof.published_at <= between && proof.signature.signed_at >= between);
  assert.ok((await verifyProof(proof, { text })).consistent);
  await revoke(server, signer, key.keyId, between);
  const { body: now } = await server.ask('GET', path);
  assert.ok(!(await verifyProof(now, { text })).consistent);
});

test(
  'the documented shell lines verify, and do not once a byte is another',
  { skip: whatIsMissing('bash', 'curl', 'jq', 'openssl', 'sha256sum', 'cmp') },
  async () => {
    const signer = await aSigner(server);
    const made = await signedArticle(server, signer, text);
    await inFolder(async (folder) => {
      const env = {
        ...process.env,
        API: server.baseUrl,
        ARTICLE: made.id as string,
        REVISION: made.revision_id as string,
      };
      const lines = blocks('bash');
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', lines], { cwd: folder, env });
      assert.ok(stdout.includes('Signature Verified Successfully'), stdout);
      assert.ok(stdout.includes(made.signing_input), stdout);
      const hash = String(made.content_hash).replace('sha256:', '');
      assert.equal(stdout.split(hash).length, 4, 'sha256sum, and the last line of both');
      assert.ok(stdout.startsWith('true\ntrue\ntrue\n'), stdout);

      const verify = /^openssl pkeyutl.*$/m.exec(lines)?.[0] ?? '';
      await writeFile(join(folder, 'signed.txt'), `${made.signing_input}\n`);
      await assert.rejects(run('bash', ['-c', verify], { cwd: folder }), { code: 1 });
      const compare = /jq -j '\["publishing[\s\S]*?signed\.txt/.exec(lines)?.[0] ?? '';
      await assert.rejects(run('bash', ['-euo', 'pipefail', '-c', compare], { cwd: folder }));
    });
  },
);

const { log: described } = (await server.ask('GET', '/v1/meta')).body;

type Signed = Awaited<ReturnType<typeof signedArticle>>;

function proofPath(made: Signed): string {
  return `/v1/articles/${made.id}/revisions/${made.revision_id}/proof`;
}

async function inLog(made: Signed): Promise<void> {
  await until('the publication is in the log', async () => {
    const { body } = await server.ask('GET', proofPath(made));
    return body.log !== null;
  });
}

/** A publication whose leaf is the last one of an odd number of leaves. */
async function lastOfOdd(signer: Awaited<ReturnType<typeof aSigner>>): Promise<Signed> {
  const made = await signedArticle(server, signer, text);
  await inLog(made);
  const { body } = await server.ask('GET', proofPath(made));
  return body.log.index % 2 === 0 ? made : lastOfOdd(signer);
}

function isNotInTree({ stdout }: { readonly stdout?: string }): boolean {
  return stdout?.includes('The leaf is not in the tree.') ?? false;
}

test(
  'the documented shell lines find the publication in the log, and do not once a byte is another',
  {
    skip: whatIsMissing('bash', 'curl', 'jq', 'openssl', 'od', 'sed'),
  },
  async () => {
    const signer = await aSigner(server);
    const made = await signedArticle(server, signer, text);
    // Leaves on both sides.
    for (let more = 0; more < 3; more += 1) await server.published(signer);
    await inLog(made);
    await inFolder(async (folder) => {
      const { body: proof } = await server.ask('GET', proofPath(made));
      await writeFile(join(folder, 'proof.json'), JSON.stringify(proof));
      const env = { ...process.env, API: server.baseUrl };
      const verify = () =>
        run('bash', ['-euo', 'pipefail', '-c', blocks('sh')], { cwd: folder, env });
      const { stdout } = await verify();
      const [signature, tree, isSame, commitment, computed] = stdout.trim().split('\n');
      assert.equal(signature, 'Signature Verified Successfully');
      assert.deepEqual([tree, isSame], ['The leaf is in the tree.', 'true']);
      assert.match(commitment ?? '', /^[0-9a-f]{64}$/);
      assert.equal(computed, commitment);
      const verdict = await verifyProof(proof, {
        text,
        trusted: {
          ...(await readKeyHistory(createClient({ baseUrl: server.baseUrl }), signer)),
          log: { verifierKey: described.verifier_key },
        },
      });
      assert.deepEqual([verdict.result, verdict.log], ['valid', 'included']);

      // The path of the last leaf of an odd number of leaves also leads to the root from the index behind it.
      const { body: last } = await server.ask('GET', proofPath(await lastOfOdd(signer)));
      for (const shown of [proof, last]) {
        const index = shown.log.index + 1;
        await writeFile(
          join(folder, 'proof.json'),
          JSON.stringify({ ...shown, log: { ...shown.log, index } }),
        );
        await assert.rejects(verify(), isNotInTree);
      }
      const checkpoint = proof.log.checkpoint.replace(/\n\d+\n/, '\n7777\n');
      const resized = { ...proof, log: { ...proof.log, checkpoint } };
      await writeFile(join(folder, 'proof.json'), JSON.stringify(resized));
      await assert.rejects(verify());
      const levels = [...last.log.inclusion, last.log.inclusion[0]];
      for (const inclusion of [levels, levels.slice(0, -2)]) {
        await writeFile(
          join(folder, 'proof.json'),
          JSON.stringify({ ...last, log: { ...last.log, inclusion } }),
        );
        await assert.rejects(verify(), isNotInTree);
      }
    });
  },
);

test('the documented script verifies offline, and says so only against what is trusted', async () => {
  const signer = await aSigner(server);
  const made = await signedArticle(server, signer, text);
  const path = `/v1/articles/${made.id}/revisions/${made.revision_id}`;
  const trusted = await readKeyHistory(createClient({ baseUrl: server.baseUrl }), signer);
  await inFolder(async (folder) => {
    const write = (name: string, value: unknown) =>
      writeFile(join(folder, name), JSON.stringify(value));
    await write('proof.json', (await server.ask('GET', `${path}/proof`)).body);
    await write('revision.json', (await server.ask('GET', path)).body);
    await write('trusted.json', trusted);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'verify.mjs'), blocks('js'));
    const verify = async () =>
      (await run(process.execPath, ['verify.mjs'], { cwd: folder })).stdout;
    const valid = await verify();
    assert.match(valid, /result: 'valid'/);
    assert.match(valid, /text_matches: true/);
    await write('trusted.json', { ...trusted, keys: [] });
    assert.match(await verify(), /result: 'consistent'[\s\S]*reason: 'unknown-key'/);
  });
});
