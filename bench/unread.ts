// The server's memory with a thousand long responses that no client reads, and its service to others.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { publishArticle, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { roundToThree, show } from './parts/figures.ts';

const MiB = 1024 * 1024;
const goals = { grown: 200, served: 1 };
/**
 * From one network address, which may use part of the limit; and through a proxy, which may use all of it.
 */
const shapes = [
  { connections: 10, requests: 100, from: 'one address' },
  { connections: 125, requests: 8, from: 'one address' },
  { connections: 125, requests: 8, from: 'a proxy' },
] as const;
const content = 'word '.repeat(209_715);
const lookMs = 100;
/** Memory counts as stable when it has not grown for this many checks. */
const looks = 30;

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

async function openDeaf(url: string, requests: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(requests);
  return socket;
}

/** Returns the maximum growth of memory, and the share of short reads with status 200 meanwhile. */
async function measure(
  { url, pid }: { readonly url: string; readonly pid: number },
  path: string,
  { connections, requests }: (typeof shapes)[number],
) {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const before = await residentBytes(pid);
  const clients = await Promise.all(
    Array.from({ length: connections }, () => openDeaf(url, request.repeat(requests))),
  );
  let most = 0;
  let served = 0;
  let asked = 0;
  for (let same = 0; same < looks; same += 1) {
    await wait(lookMs);
    const answer = await fetch(`${url}/v1/meta`);
    await answer.arrayBuffer();
    asked += 1;
    if (answer.status === 200) served += 1;
    const grown = (await residentBytes(pid)) - before;
    if (grown > most + MiB) same = 0;
    most = Math.max(most, grown);
  }
  for (const client of clients) client.resetAndDestroy();
  return { grown: most / MiB, served: served / asked };
}

await using database = await openBenchDatabase();
const rows = [];
for (const shape of shapes) {
  const settings = shape.from === 'a proxy' ? { TRUSTED_PROXIES: '127.0.0.1' } : {};
  await using colophon = await startColophon(database.url(), settings);
  const author = await registerAuthor(colophon.url);
  const path = `/v1/articles/${await publishArticle(colophon.url, author, content)}`;
  for (let warmUp = 0; warmUp < 20; warmUp += 1)
    await (await fetch(colophon.url + path)).arrayBuffer();
  const { grown, served } = await measure(colophon, path, shape);
  const what = `${shape.connections * shape.requests} answers of 1 MiB on ${shape.connections} connections of ${shape.from}`;
  rows.push(
    { what: `MiB grown by ${what}`, figure: roundToThree(grown), goal: goals.grown },
    { what: 'share of short reads answered meanwhile', figure: served, goal: goals.served },
  );
}
show('unread', rows);
