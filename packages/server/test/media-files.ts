// Media for tests: files made byte by byte, and what it takes to put them on a server.
import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { until } from './throw-away-database.ts';
import type { Human, Response, TestServer } from './harness.ts';

export type Kind = 'image' | 'video' | 'audio' | 'document';

export function chunk(type: string, contents: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), contents]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(contents.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export interface PngInput {
  /** Bit depth and colour type. */
  readonly form?: readonly [number, number];
  /** Rows of pixels in place of grey ones. */
  readonly rows?: Buffer;
  readonly before?: readonly Buffer[];
}

/** A grey PNG of this size, whole: it decodes. */
export function pngOf(width: number, height: number, input: PngInput = {}): Buffer {
  const [depth, colour] = input.form ?? [8, 0];
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour, 0, 0, 0], 8);
  const rows = input.rows ?? Buffer.alloc((width + 1) * height, 0);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    ...(input.before ?? []),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG of exactly so many bytes: an ancillary chunk fills what is left. */
export function pngOfLength(length: number): Buffer {
  const bare = pngOf(1, 1).length + 12;
  return pngOf(1, 1, { before: [chunk('fiLl', Buffer.alloc(length - bare, 7))] });
}

/** A pending record. */
export async function aRecord(
  server: TestServer,
  human: Pick<Human, 'token'>,
  kind: Kind,
  members: Readonly<Record<string, unknown>> = {},
): Promise<Response['body']> {
  const body = { kind, ...members };
  const made = await server.ask('POST', '/v1/media', { token: human.token, key: true, body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
}

export function put(
  server: TestServer,
  human: Pick<Human, 'token'>,
  id: string,
  bytes: Buffer,
): Promise<Response> {
  const headers = { 'content-type': 'application/octet-stream' };
  return server.ask('PUT', `/v1/media/${id}/content`, { token: human.token, raw: bytes, headers });
}

/** Reserves a record and uploads to it. */
export async function upload(
  server: TestServer,
  human: Pick<Human, 'token'>,
  kind: Kind,
  bytes: Buffer,
): Promise<Response> {
  const answer = await put(server, human, (await aRecord(server, human, kind)).id, bytes);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer;
}

export interface Served {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** GET of bytes, past the checks of JSON answers against the contract. */
export async function fetchBytes(
  server: TestServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Served> {
  const answer = await fetch(server.baseUrl + path, { method, headers });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

/** What only a moderator's action brings about. */
export async function setMedia(
  server: TestServer,
  id: string,
  state: { readonly hidden?: boolean; readonly legal?: boolean },
): Promise<void> {
  const { hidden = false, legal = false } = state;
  await server.db.transaction((tx) =>
    tx.run(sql`
      update media
      set hidden = ${hidden},
        status = case when ${legal} then 'removed' else status end,
        removed_at = case when ${legal} then ${new Date().toISOString()}::timestamptz else removed_at end,
        removed_legally = ${legal},
        reason_code = case when ${legal} then 'court_order' else reason_code end
      where bucket = ${bucketOf(id)} and id = ${id}`),
  );
}

/** Every name in the store in the bucket of this id. */
export async function storedNames(server: TestServer, id: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of server.services.store.list(bucketOf(id))) names.push(name);
  return names;
}

/** Waits until the pipeline has made the variants of an image. */
export function variantsMade(server: TestServer, id: string): Promise<void> {
  return until('the variants are there', async () => {
    return (await fetchBytes(server, `/media/${id}?w=1280`)).status === 200;
  });
}
