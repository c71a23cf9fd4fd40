// What tests of the transparency log share: reading it as a client does, and verifying what it says.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import {
  checkNote,
  createFrontier,
  entriesPath,
  fromBase64,
  leafHash,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  tilesOf,
  unpackEntries,
  verifyInclusion,
} from '@colophon/tlog';
import type { Checkpoint } from '@colophon/tlog';
import { sql } from '#database';
import { canonicalJson, sha256Hex } from '#lib/canonical-json';
import { sha256 } from '#lib/sha256';
import type { Response, TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

type Entry = Readonly<Record<string, unknown>> & { readonly kind: string; readonly at: string };

/** Verifies an Ed25519 signature with OpenSSL's code. */
export function verifyWith(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  const x = Buffer.from(key).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, publicKey, signature);
}

/** Returns the checkpoint of a note, after its signature by this key was verified. */
async function verifiedCheckpoint(note: string, verifierKey: string): Promise<Checkpoint> {
  const [parsed, key] = [parseNote(note), parseVerifierKey(sha256, verifierKey)];
  assert.ok(parsed && key, note);
  const { verified, forged } = await checkNote(parsed, [key], verifyWith);
  assert.equal(forged, null);
  assert.equal(verified.length, 1, 'the key of the log signed');
  const checkpoint = parseCheckpoint(parsed.text);
  assert.ok(checkpoint);
  return checkpoint;
}

async function file(server: Pick<TestServer, 'baseUrl'>, path: string): Promise<Buffer> {
  const response = await fetch(`${server.baseUrl}/log/${path}`);
  assert.equal(response.status, 200, path);
  return Buffer.from(await response.arrayBuffer());
}

/** What /v1/meta says of the log. */
export async function describedLog(server: Pick<TestServer, 'ask'>) {
  return (await server.ask('GET', '/v1/meta')).body.log;
}

/** Reads the whole log as a mirror does: every leaf, after the root over them was compared with the checkpoint. */
export async function readLog(server: Pick<TestServer, 'baseUrl' | 'ask'>) {
  const { verifier_key } = await describedLog(server);
  const note = (await file(server, 'checkpoint')).toString('utf8');
  const checkpoint = await verifiedCheckpoint(note, verifier_key);
  const frontier = createFrontier(sha256);
  const entries: Entry[] = [];
  for (const { level, index, width } of tilesOf(checkpoint.size)) {
    if (level > 0) break;
    const bundle = unpackEntries(await file(server, entriesPath(index, width)));
    assert.equal(bundle?.length, width);
    for (const entry of bundle ?? []) {
      frontier.add(leafHash(sha256, entry));
      entries.push(JSON.parse(Buffer.from(entry).toString('utf8')) as Entry);
    }
  }
  assert.deepEqual(Buffer.from(frontier.root()), Buffer.from(checkpoint.root));
  return { note, checkpoint, entries };
}

/** Waits until a checkpoint with so many leaves is published. Before the first one, the log answers 404. */
export async function leavesPublished(server: Pick<TestServer, 'db'>, size: number) {
  await until(`a checkpoint has ${size} leaves`, async () => {
    const row = await server.db.first(sql<{ size: number }>`
      select published_size as size from log_heads where bucket = 0`);
    return row !== undefined && row.size >= size;
  });
}

/** Waits until the published log fits, and returns it. */
export async function logUntil(
  server: Pick<TestServer, 'baseUrl' | 'ask'>,
  what: string,
  fits: (entries: readonly Entry[]) => boolean,
) {
  let found: Awaited<ReturnType<typeof readLog>> | undefined;
  await until(what, async () => {
    found = await readLog(server).catch(() => undefined);
    return found !== undefined && fits(found.entries);
  });
  assert.ok(found);
  return found;
}

/** Waits until the proof of a revision has its log, verifies that offline, and returns it with its entry. */
export async function provenLog(server: TestServer, id: string, revision: string, token?: string) {
  const path = `/v1/articles/${id}/revisions/${revision}/proof`;
  let proof: Response['body'] = {};
  await until('the publication is in the log', async () => {
    const { status, body } = await server.ask('GET', path, token === undefined ? {} : { token });
    assert.equal(status, 200);
    proof = body;
    return body.log !== null;
  });
  const { log, content_hash, signature } = proof;
  const { verifier_key } = await describedLog(server);
  const { size, root } = await verifiedCheckpoint(log.checkpoint, verifier_key);
  const entry = Buffer.from(log.entry, 'base64');
  const leaf = leafHash(sha256, entry);
  const hashes = log.inclusion.map((hash: string) => fromBase64(hash));
  assert.ok(verifyInclusion(sha256, { index: log.index, size, leaf, proof: hashes, root }));
  const said = JSON.parse(entry.toString('utf8')) as Entry;
  const form = canonicalJson({ content_hash, signature: signature?.signature ?? null });
  const commitment = sha256Hex(Buffer.concat([Buffer.from(log.salt, 'base64'), Buffer.from(form)]));
  assert.equal(said['commitment'], commitment);
  assert.equal(canonicalJson(said), entry.toString('utf8'));
  return { ...log, said, proof };
}
