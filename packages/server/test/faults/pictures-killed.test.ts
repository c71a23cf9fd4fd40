// kill -9 of the server while share images are drawn and uploads are decoded: both processes end, nothing half is left.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { access, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { pngOf } from '../media-files.ts';
import { until } from '../throw-away-database.ts';
import { childrenOf, isAlive, signal, wordsOf } from './child-processes.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';
import { effort } from '../effort.ts';

const rounds = effort(2, 40);
/**
 * From the first sign of a process: it starts, unpacks fonts and draws, or reads and decodes. Less in each further round:
 * on a fast machine all of that may be over much sooner.
 */
const headStartMs = 400;
const patienceMs = 600_000;
const skip = process.platform !== 'linux' && 'needs /proc';

/** Of many scripts, so that fonts have to be unpacked for it. */
const title = 'Maps: 地図, 地图, 지도, خريطة, מפה, नक्शा, แผนที่, ካርታ, რუკა, карта';

async function ask(place: Place, path: string, asked: RequestInit = {}) {
  const answer = await fetch(place.baseUrl + path, asked);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, bytes };
}

async function create(place: Place, path: string, token: string, body: object) {
  const headers = {
    'content-type': 'application/json',
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    'idempotency-key': crypto.randomUUID(),
  };
  const answer = await ask(place, path, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.ok(answer.status < 300, answer.bytes.toString());
  return JSON.parse(answer.bytes.toString()) as Record<'id' | 'token', string>;
}

async function publish(place: Place, token: string, round: number): Promise<string> {
  const body = { title: `${title} ${round}`, content: 'Text.' };
  const { id } = await create(place, '/v1/articles', token, body);
  await create(place, `/v1/articles/${id}/publish`, token, {});
  return id;
}

/** So large that it is not decoded at once, and different in each round. */
async function upload(place: Place, token: string, round: number): Promise<string> {
  const { id } = await create(place, '/v1/media', token, { kind: 'image' });
  const answer = await ask(place, `/v1/media/${id}/content`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(pngOf(4_500 + round, 4_500)),
  });
  assert.equal(answer.status, 200, answer.bytes.toString());
  return id;
}

async function countOf(place: Place, table: string): Promise<number> {
  const client = await place.connect();
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`);
  await client.end();
  return Number(rows[0]?.count);
}

/** The programs that work, without the short look beforehand whether they could read what they need. */
async function workingPids(server: ServerProcess, program: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of await childrenOf(server.pid, program))
    if (!(await wordsOf(pid)).includes('-e')) found.push(pid);
  return found;
}

/** Stops the program at some moment of its work: it cannot be done before its server is killed. */
async function stopPrograms(
  server: ServerProcess,
  program: string,
  round: number,
): Promise<readonly number[]> {
  let found: readonly number[] = [];
  const look = async () => (found = await workingPids(server, program)).length > 0;
  await until(`${program} runs`, look, patienceMs);
  await wait((Math.random() * headStartMs) / Math.max(1, round - rounds + 1));
  for (const pid of found) signal(pid, 'SIGSTOP');
  return found;
}

interface Middle {
  readonly drawing: boolean;
  readonly decoding: boolean;
}

interface Stopped {
  readonly draws: readonly number[];
  readonly decodes: readonly number[];
}

/** Kills the server and lets both programs go on: they meet its end in the middle of a picture. */
async function killInTheMiddle(
  place: Place,
  server: ServerProcess,
  { draws, decodes, round }: Stopped & { readonly round: number },
): Promise<Middle> {
  const folder = (await wordsOf(draws[0] ?? 0)).at(-1) ?? '';
  const alive = decodes.map(isAlive);
  const middle = {
    drawing: (await countOf(place, 'og_images')) < round,
    decoding: alive.includes(true) && (await countOf(place, 'media_variants')) < round * 3,
  };
  server.kill('SIGKILL');
  assert.equal((await server.ended).signal, 'SIGKILL');
  for (const pid of [...draws, ...decodes]) {
    signal(pid, 'SIGCONT');
    await until(`process ${pid} ends`, () => !isAlive(pid), patienceMs);
  }
  const isThere = () =>
    access(folder).then(
      () => true,
      () => false,
    );
  await until('its folder is removed', async () => !(await isThere()), patienceMs);
  return middle;
}

/** Every file under a final name has the bytes that its name says. */
async function namesInStore(place: Place): Promise<readonly string[]> {
  const store = join(place.dataDir, 'media');
  const names: string[] = [];
  for (const bucket of await readdir(store)) {
    if (!/^[0-9a-f]{3}$/.test(bucket)) continue;
    for (const file of await readdir(join(store, bucket))) {
      const bytes = await readFile(join(store, bucket, file));
      const checksum = createHash('sha256').update(bytes).digest('hex');
      assert.equal(file.split('-')[0], checksum, `${file} has ${bytes.length} bytes`);
      names.push(`${bucket}/${file}`);
    }
  }
  return names;
}

async function checkRows(place: Place): Promise<void> {
  const present = new Set(await namesInStore(place));
  const client = await place.connect();
  const { rows } = await client.query<{ name: string }>(
    'select name from og_images union all select name from media_variants',
  );
  await client.end();
  assert.deepEqual(
    rows.filter(({ name }) => !present.has(name)),
    [],
  );
}

test(
  `${rounds} kills in the middle of pictures: what draws and what decodes is gone, and the next start makes them`,
  { timeout: 900_000, skip },
  async (t) => {
    await using place = await makePlace();
    let server = place.start();
    await server.ready(place.baseUrl);
    const body = { username: 'ann-example' };
    const { token } = await create(place, '/v1/humans', '', body);
    const [articles, uploads]: [string[], string[]] = [[], []];
    const met: Middle[] = [];
    const metBoth = () =>
      met.some(({ drawing }) => drawing) && met.some(({ decoding }) => decoding);
    // On a fast machine a picture may be done before its process is stopped.
    for (let round = 1; round <= rounds || (!metBoth() && round <= rounds * 10); round += 1) {
      // Searched before there is anything to do: short work would be over, and this would wait until its deadline.
      const decoding = stopPrograms(server, 'make-variants.mjs', round);
      uploads.push(await upload(place, token, round));
      const drawing = stopPrograms(server, 'draw-cards.ts', round);
      articles.push(await publish(place, token, round));
      const [decodes, draws] = await Promise.all([decoding, drawing]);
      met.push(await killInTheMiddle(place, server, { draws, decodes, round }));
      server = place.start();
      await server.ready(place.baseUrl);
      await checkRows(place);
    }
    const drawing = met.filter((one) => one.drawing).length;
    const decoding = met.filter((one) => one.decoding).length;
    assert.ok(drawing > 0 && decoding > 0, `in the middle: ${drawing} and ${decoding} times`);
    await until(
      'every picture is drawn and kept',
      async () => (await countOf(place, 'og_images')) === articles.length,
      patienceMs,
    );
    for (const id of articles) {
      const { status, bytes } = await ask(place, `/og/${id}.png`);
      assert.equal(status, 200);
      const { format, width, height } = await sharp(bytes).metadata();
      assert.deepEqual([format, width, height], ['png', 1200, 630]);
    }
    for (const id of uploads) {
      for (const width of [320, 640, 1280]) {
        const path = `/media/${id}?w=${width}`;
        await until(
          'the variants are made',
          async () => (await ask(place, path)).status === 200,
          patienceMs,
        );
        const { format, width: has } = await sharp((await ask(place, path)).bytes).metadata();
        assert.deepEqual([format, has], ['webp', width]);
      }
    }
    await checkRows(place);
    const [draws] = await childrenOf(server.pid, 'draw-cards.ts');
    server.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
    assert.ok(draws === undefined || !isAlive(draws));
    t.diagnostic(`of ${rounds} kills ${drawing} met a drawing and ${decoding} a decoder`);
  },
);
