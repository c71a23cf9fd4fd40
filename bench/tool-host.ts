// The tool host, as it is published: from its start to the first answer, and a tool call compared with the REST call.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildProgram } from '../scripts/programs/build.ts';
import { markdownOf, post, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { median, roundToThree, show } from './parts/figures.ts';
import { quiet } from './parts/quiet.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const callsPerRound = 100;
const warmUps = 100;
const readyGoal = 400;
const callGoal = 2;

interface Message {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Host extends AsyncDisposable {
  /** Milliseconds from the start to the answer of `initialize`. */
  readonly readyMs: number;
  readonly call: (name: string, args: object) => Promise<unknown>;
}

const place = await mkdtemp(join(tmpdir(), 'colophon-tool-host-'));
await buildProgram('mcp', place);

async function startHost(env: Readonly<Record<string, string>>): Promise<Host> {
  const since = performance.now();
  const child = spawn(process.execPath, [join(place, 'colophon-mcp.js'), '--tools', 'all'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const waiting = new Map<number, (message: Message) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let count = 0;
  const ask = async (method: string, params: object): Promise<unknown> => {
    count += 1;
    const answer = new Promise<Message>((resolve) => waiting.set(count, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: count, method, params })}\n`);
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result;
  };
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  const readyMs = performance.now() - since;
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    readyMs,
    call: async (name, args) => {
      const result = await ask('tools/call', { name, arguments: args });
      if ((result as { isError?: boolean }).isError) throw new Error(JSON.stringify(result));
      return result;
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

type Work = () => Promise<unknown>;

async function timeWork(work: Work): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** Calls both in turn, so that a slow moment of the machine affects both. */
async function compareWays(what: string, rest: Work, tool: Work) {
  const [restTimes, toolTimes]: [number[], number[]] = [[], []];
  for (let count = 0; count < warmUps + rounds * callsPerRound; count += 1) {
    const pair = [await timeWork(rest), await timeWork(tool)] as const;
    if (count < warmUps) continue;
    restTimes.push(pair[0]);
    toolTimes.push(pair[1]);
  }
  const [restMs, toolMs] = [median(restTimes), median(toolTimes)];
  return {
    what,
    'REST, ms': roundToThree(restMs),
    'tool, ms': roundToThree(toolMs),
    'more, ms': roundToThree(toolMs - restMs),
    goal: callGoal,
  };
}

try {
  await using database = await openBenchDatabase();
  await using colophon = await startColophon(database.url(), { ROLE: 'web' });
  const { url } = colophon;
  const { token } = await registerAuthor(url);
  const draft = { title: 'To read', content: markdownOf(4096), language: 'en' };
  const { id = '' } = await post(`${url}/v1/articles`, draft, token);
  await post(`${url}/v1/articles/${id}/publish`, {}, token);
  const env = { COLOPHON_URL: url, COLOPHON_TOKEN: token };
  const ready: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await quiet();
    await using host = await startHost(env);
    ready.push(host.readyMs);
  }
  await using host = await startHost(env);
  const authorization = `Bearer ${token}`;
  const read = async () => {
    await (await fetch(`${url}/v1/articles/${id}`, { headers: { authorization } })).json();
  };
  // On a connection that stays open, like those of the tool host.
  const write = async () => {
    const headers = {
      authorization,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    };
    const body = JSON.stringify({ content: 'A comment.' });
    const address = `${url}/v1/articles/${id}/comments`;
    await (await fetch(address, { method: 'POST', headers, body })).json();
  };
  const rows = [
    await compareWays('read an article', read, () => host.call('read_article', { id })),
    await compareWays('write a comment', write, () =>
      host.call('create_comment', { id, content: 'A comment.' }),
    ),
  ];
  show('tool-host', rows, { ready_ms: roundToThree(median(ready)), ready_goal_ms: readyGoal });
} finally {
  await rm(place, { recursive: true, force: true });
}
