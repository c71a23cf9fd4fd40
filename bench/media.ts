// Uploads and downloads of media against a minimal server, and the memory that uploads take.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request as ask } from 'node:http';
import { registerAuthor } from './parts/author.ts';
import { startChild, startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { pngOfLength } from '../packages/server/test/media-files.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const MiB = 1024 * 1024;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface Sent {
  readonly status: number;
  readonly body: Buffer;
}

function send(url: string, method: string, headers: object, body?: Buffer): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': body.length };
    const sent = ask(url, { method, agent, headers: { ...headers, ...length } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Runs the work `times` times, `atOnce` at a time; returns runs per second. */
async function perSecond(times: number, atOnce: number, work: (n: number) => Promise<void>) {
  let next = 0;
  const since = performance.now();
  const lane = async () => {
    for (let n = next++; n < times; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return times / ((performance.now() - since) / 1000);
}

/**
 * Warms up both sides until hot code is compiled: the figures are those of a running server, not of its first
 * second.
 */
async function warmUp(sides: Record<string, () => Promise<number>>, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) for (const side of Object.values(sides)) await side();
}

async function reserve(url: string, token: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  };
  const { body } = await send(`${url}/v1/media`, 'POST', headers, Buffer.from('{"kind":"image"}'));
  return (JSON.parse(body.toString()) as { readonly id: string }).id;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
try {
  await using database = await openBenchDatabase();
  await using ours = await startColophon(database.url(), { ROLE: 'web', LIMITS: 'off' });
  const { token } = await registerAuthor(ours.url);
  const served = join(folder, 'served');
  const shown = pngOfLength(MiB);
  await writeFile(served, shown);
  await using bare = await startChild({
    program: join(import.meta.dirname, 'bare/upload-server.ts'),
    env: { FOLDER: folder, SERVED: served },
    ready: '/',
  });
  const authorization = { authorization: `Bearer ${token}` };
  /** Each upload is a different file, in every round, so that none is already stored. */
  const uploading = (length: number, times: number, atOnce: number) => {
    const one = pngOfLength(length);
    const files = Array.from({ length: times }, () => Buffer.from(one));
    const renewed = () => {
      for (const file of files) randomBytes(16).copy(file, length - 60);
      return files;
    };
    return {
      ours: async () => {
        const ids: string[] = [];
        for (let n = 0; n < times; n += 1) ids.push(await reserve(ours.url, token));
        const sent = renewed();
        return perSecond(times, atOnce, async (n) => {
          const url = `${ours.url}/v1/media/${ids[n]}/content`;
          const { status, body } = await send(url, 'PUT', authorization, sent[n]);
          if (status !== 200) throw new Error(body.toString());
        });
      },
      bare: async () => {
        const sent = renewed();
        return perSecond(times, atOnce, async (n) => {
          await send(`${bare.url}/upload`, 'PUT', {}, sent[n]);
        });
      },
    };
  };

  const rows = [];
  for (const [what, length, times, atOnce, warmUps] of [
    ['upload 1 MiB', MiB, 60, 4, 8],
    ['upload 50 MiB', 50 * MiB, 6, 2, 1],
  ] as const) {
    const sides = uploading(length, times, atOnce);
    await warmUp(sides, warmUps);
    const medians = await alternate(rounds, sides);
    rows.push({
      what,
      'ours/s': roundToThree(medians.ours),
      'bare/s': roundToThree(medians.bare),
      ratio: roundToThree(medians.ours / medians.bare),
      goal: 0.7,
    });
  }
  const id = await reserve(ours.url, token);
  await send(`${ours.url}/v1/media/${id}/content`, 'PUT', authorization, shown);
  const serving = (url: string) => async () =>
    perSecond(400, 16, async () => {
      const { body } = await send(url, 'GET', {});
      if (body.length !== MiB) throw new Error(`${body.length} bytes came.`);
    });
  const sides = {
    ours: serving(`${ours.url}/media/${id}`),
    bare: serving(`${bare.url}/served`),
  };
  await warmUp(sides, 8);
  const medians = await alternate(rounds, sides);
  rows.push({
    what: 'serve 1 MiB',
    'ours/s': roundToThree(medians.ours),
    'bare/s': roundToThree(medians.bare),
    ratio: roundToThree(medians.ours / medians.bare),
    goal: 0.8,
  });

  const before = await residentBytes(ours.pid);
  let most = before;
  const look = setInterval(() => {
    void residentBytes(ours.pid).then((bytes) => (most = Math.max(most, bytes)));
  }, 20);
  const twenty = uploading(50 * MiB, 20, 20);
  try {
    await twenty.ours();
  } finally {
    clearInterval(look);
  }
  const grown = (most - before) / MiB;
  show('media', rows, { rounds, grown_mib_for_20_uploads: roundToThree(grown), goal_mib: 64 });
} finally {
  agent.destroy();
  await rm(folder, { recursive: true, force: true });
}
