// kill -9 in the middle of uploads: what was acknowledged is there, and nothing is there by half.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openFolderStore } from '../../src/storage/folder-store.ts';
import { makePlace } from '../faults/server-process.ts';
import { inParallel } from '../bad-input/bystander.ts';
import { pngOfLength } from '../media-files.ts';
import { effort } from '../effort.ts';

const place = await makePlace();
after(() => place[Symbol.asyncDispose]());

const rounds = effort(2, 40);
const atOnce = 8;

async function ask(path: string, token: string, body?: object): Promise<Response> {
  return fetch(place.baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

interface Record {
  readonly id: string;
  readonly status: string;
  readonly checksum_sha256: string | null;
}

interface Try {
  readonly id: string;
  readonly bytes: Buffer;
  readonly acknowledged: boolean;
}

/** Uploads one file after the other until the server is gone. */
async function lane(token: string, number: number, tries: Try[]): Promise<void> {
  for (let count = 1; ; count += 1) {
    const reserved = await ask('/v1/media', token, { kind: 'image' }).catch(() => undefined);
    const record = (await reserved?.json().catch(() => undefined)) as Record | undefined;
    if (record === undefined) return;
    const bytes = pngOfLength(300_000 + number * 1_000 + count);
    const answer = await fetch(`${place.baseUrl}/v1/media/${record.id}/content`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: bytes as Uint8Array<ArrayBuffer>,
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    tries.push({
      id: record.id,
      bytes,
      acknowledged: answer?.status === 200 && text !== undefined,
    });
    if (text === undefined) return;
  }
}

async function check({ id, bytes, acknowledged }: Try, token: string): Promise<string> {
  const record = (await (await ask(`/v1/media/${id}`, token)).json()) as Record;
  if (acknowledged) assert.equal(record.status, 'ready');
  assert.ok(['ready', 'pending'].includes(record.status), record.status);
  if (record.status === 'ready') {
    const served = Buffer.from(await (await fetch(`${place.baseUrl}/media/${id}`)).arrayBuffer());
    assert.ok(served.equals(bytes), 'every byte is there');
  }
  return record.status;
}

test(
  'every upload is whole or pending after each kill, and what is left over can be swept',
  { timeout: 900_000 },
  async (t) => {
    let server = place.start({ ROLE: 'web', LOG_LEVEL: 'error' });
    await server.ready(place.baseUrl);
    const registered = await fetch(`${place.baseUrl}/v1/humans`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'uploads-much' }),
    });
    const { token } = (await registered.json()) as { token: string };
    const tries: Try[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const lanes = Array.from({ length: atOnce }, (_, number) =>
        lane(token, round * 100 + number, tries),
      );
      const target = tries.length + 20 + round * 7;
      while (tries.length < target) await new Promise((resolve) => setTimeout(resolve, 2));
      server.kill('SIGKILL');
      await server.ended;
      await Promise.all(lanes);
      server = place.start({ ROLE: 'web', LOG_LEVEL: 'error' });
      await server.ready(place.baseUrl);
      await inParallel(tries, 8, async (one) => void (await check(one, token)));
    }
    const states = await Promise.all(tries.map((one) => check(one, token)));
    const acknowledged = tries.filter((one) => one.acknowledged).length;
    assert.ok(acknowledged > rounds * 12, `${acknowledged} uploads were acknowledged`);
    const ready = states.filter((state) => state === 'ready').length;
    const folder = join(place.dataDir, 'media');
    const store = openFolderStore(folder);
    const drafts = (await readdir(join(folder, 'uploading'))).length;
    assert.equal(await store.sweep(new Date(Date.now() + 60_000)), drafts);
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.includes('-'));
    assert.ok(files.length >= ready);
    t.diagnostic(
      `${tries.length} uploads: ${acknowledged} acknowledged, ${ready} whole; ${drafts} drafts and ${files.length - ready} files without a record were left`,
    );
  },
);
