// How long until writes succeed again after a fault: npm run bench -- recovery [FAULT…]
import { setTimeout as wait } from 'node:timers/promises';
import { pngOfLength } from '../packages/server/test/media-files.ts';
import { faults } from './parts/faults.ts';
import type { Fault, Scene } from './parts/faults.ts';
import { median, show } from './parts/figures.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const clients = 4;
/** Answered writes before the fault. */
const warmUpWrites = 40;
/** No write may take this long to come back. */
const patienceMs = 120_000;
/** Writes go on for this long after the first one. */
const afterMs = 2_000;
const pauseMs = 20;
const png = pngOfLength(20_000);

interface Write {
  readonly from: number;
  readonly to: number;
}

interface Round {
  /** From the end of the cause to the answer of the first write that was sent after it. */
  readonly resumedMs: number;
  /** The longest time without an acknowledged write. */
  readonly gapMs: number;
  /** Refusals that are not 503 or 429. */
  readonly wrong: readonly string[];
}

type Clients = ReturnType<typeof startClients>;

interface Sent {
  readonly status: number;
  readonly body: string;
}

/** Status 0: there was no answer. */
async function send(
  url: string,
  method: string,
  token: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<Sent> {
  const headers = {
    'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
    'idempotency-key': crypto.randomUUID(),
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
  };
  try {
    const answer = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(30_000) });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return { status: 0, body: '' };
  }
}

const idOf = (sent: Sent) => (JSON.parse(sent.body) as { readonly id: string }).id;

async function writeText(baseUrl: string, token: string): Promise<Sent> {
  const draft = { title: 'Draft', content: 'Some words.', language: 'en' };
  return send(`${baseUrl}/v1/articles`, 'POST', token, JSON.stringify(draft));
}

async function writeFile(baseUrl: string, token: string): Promise<Sent> {
  const reserved = await send(`${baseUrl}/v1/media`, 'POST', token, '{"kind":"image"}');
  if (reserved.status !== 201) return reserved;
  const url = `${baseUrl}/v1/media/${idOf(reserved)}/content`;
  return send(url, 'PUT', token, Uint8Array.from(png));
}

async function register(baseUrl: string, name: string): Promise<string> {
  const sent = await send(`${baseUrl}/v1/humans`, 'POST', '', JSON.stringify({ username: name }));
  if (sent.status !== 201) throw new Error(sent.body);
  return (JSON.parse(sent.body) as { readonly token: string }).token;
}

/** Clients that write until `stop`; each waits a little between two writes. */
function startClients({ baseUrl, writes }: Scene, tokens: readonly string[]) {
  const write = writes === 'texts' ? writeText : writeFile;
  const done: Write[] = [];
  const wrong: string[] = [];
  const statuses = new Map<number, number>();
  const state = { stopped: false };
  const over = tokens.map(async (token) => {
    while (!state.stopped) {
      const from = performance.now();
      const { status, body } = await write(baseUrl, token);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 201 || status === 200) done.push({ from, to: performance.now() });
      else if (![0, 429, 503].includes(status)) wrong.push(`${status} ${body}`);
      await wait(pauseMs);
    }
  });
  return {
    done: done as readonly Write[],
    wrong: wrong as readonly string[],
    statuses: statuses as ReadonlyMap<number, number>,
    stop: async () => {
      state.stopped = true;
      await Promise.all(over);
    },
  };
}

function longestGap(done: readonly Write[]): number {
  const ends = done.map(({ to }) => to).toSorted((left, right) => left - right);
  return Math.max(...ends.map((end, index) => end - (ends[index - 1] ?? end)));
}

/** The first write that was sent from now on: sessions of a database that was killed may still end some before. */
async function firstFromNow({ done, statuses }: Clients): Promise<number> {
  const now = performance.now();
  const deadline = now + patienceMs;
  while (performance.now() < deadline) {
    const first = done.find(({ from }) => from >= now);
    if (first !== undefined) return first.to;
    await wait(5);
  }
  throw new Error(
    `No write succeeded within ${patienceMs / 1000} s of the end of the fault: ${JSON.stringify([...statuses])}`,
  );
}

async function measure(fault: Fault): Promise<Round> {
  await using scene = await fault.open();
  const names = Array.from({ length: clients }, (_, index) => `writer-${index}`);
  const tokens = await Promise.all(names.map(async (name) => register(scene.baseUrl, name)));
  const running = startClients(scene, tokens);
  try {
    while (running.done.length < warmUpWrites) await wait(pauseMs);
    const at = await scene.fault();
    const resumedMs = (await firstFromNow(running)) - at;
    await wait(afterMs);
    return { resumedMs, gapMs: longestGap(running.done), wrong: running.wrong };
  } finally {
    await running.stop();
  }
}

const seconds = (times: readonly number[]) =>
  `${(median(times) / 1000).toFixed(2)}, ${(Math.max(...times) / 1000).toFixed(2)}`;

const asked = process.argv.slice(3);
const unknown = asked.filter((name) => faults[name] === undefined);
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(faults).join(', ')}.`);
const chosen = Object.entries(faults).filter(
  ([name]) => asked.length === 0 || asked.includes(name),
);

const rows = [];
const wrong: string[] = [];
for (const [name, fault] of chosen) {
  if (fault.without !== false) {
    process.stderr.write(`${name}: ${fault.without}\n`);
    continue;
  }
  const seen: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    seen.push(await measure(fault));
    process.stderr.write(`${name}: ${JSON.stringify(seen.at(-1))}\n`);
  }
  wrong.push(...seen.flatMap((one) => one.wrong));
  rows.push({
    fault: fault.what,
    'writes again after, s (median, most)': seconds(seen.map((one) => one.resumedMs)),
    'longest time without a write, s': seconds(seen.map((one) => one.gapMs)),
    'other refusals than 429 and 503': seen.flatMap((one) => one.wrong).length,
  });
}
show('recovery', rows, { rounds, clients, wrong: wrong.slice(0, 5) });
