// GET /v1/events without new events against reading an article, and latency from a cause to a poll.
import { markdownOf, publishArticle, registerAuthor } from './parts/author.ts';
import type { Author } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, median, roundToThree, show } from './parts/figures.ts';
import { openProcessorTime } from './parts/processor-time.ts';
import { askAgain } from './parts/wrk.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const connections = 32;
const goals = { 'time of a read': 0.4, 'ms to the answer': 50 };
/** Events that the poller has already received: the last one is passed as `since`. */
const eventsBefore = 100;
const follows = 50;

async function get(url: string, { token }: Author): Promise<{ items: readonly { id: string }[] }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}.`);
  return (await response.json()) as { items: readonly { id: string }[] };
}

async function follow(url: string, follower: Author, followee: Author): Promise<void> {
  const response = await fetch(`${url}/v1/follows`, {
    method: 'POST',
    headers: { authorization: `Bearer ${follower.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ principal_id: followee.id }),
  });
  if (response.status !== 201) throw new Error(`POST ${url}/v1/follows: ${response.status}.`);
  await response.arrayBuffer();
}

await using database = await openBenchDatabase();
await using one = await startColophon(database.url(), { LIMITS: 'off' });
await using other = await startColophon(database.url(), { LIMITS: 'off', ROLE: 'web' });

const reader = await registerAuthor(one.url);
const id = await publishArticle(one.url, reader, markdownOf(4096));
for (let count = 0; count < eventsBefore; count += 1)
  await follow(one.url, await registerAuthor(one.url), reader);
const page = await get(`${one.url}/v1/events?limit=100`, reader);
const since = page.items.at(-1)?.id ?? '';

const spent = await openProcessorTime(database, one.pid);
/** Milliseconds of processor time of the server and its database for each request, one figure per round. */
const processor = { poll: [] as number[], read: [] as number[] };
const load = (side: keyof typeof processor, path: string) => async () => {
  const before = await spent();
  const headers = { authorization: `Bearer ${reader.token}` };
  const input = { url: one.url + path, headers, connections, seconds };
  const { requests, perSecond } = await askAgain(input);
  const after = await spent();
  const ms = after.server - before.server + after.database - before.database;
  processor[side].push(ms / requests);
  return perSecond;
};
const sides = {
  poll: load('poll', `/v1/events?since=${since}`),
  read: load('read', `/v1/articles/${id}`),
};
for (const warmUp of Object.values(sides)) await warmUp();
const medians = await alternate(rounds, sides);

/** From the response to the request that causes an event to the response of a poll that waits at `place`. */
async function latencyAt(place: string): Promise<number> {
  const seen: number[] = [];
  const recipient = await registerAuthor(one.url);
  let last = '0'.repeat(26);
  for (let count = 0; count < follows; count += 1) {
    const follower = await registerAuthor(one.url);
    let answeredAt = 0;
    const polled = get(`${place}/v1/events?wait=25&since=${last}`, recipient).then((answer) => {
      answeredAt = performance.now();
      return answer;
    });
    // Long enough for the poll to have found no event and to be waiting.
    await new Promise((resolve) => {
      setTimeout(resolve, 30);
    });
    await follow(one.url, follower, recipient);
    const followedAt = performance.now();
    last = (await polled).items.at(-1)?.id ?? last;
    seen.push(answeredAt - followedAt);
  }
  return median(seen);
}

const latencies = await alternate(rounds, {
  'in the same process': () => latencyAt(one.url),
  'in another process': () => latencyAt(other.url),
});

show(
  'events',
  [
    {
      what: 'an empty poll, as a share of the time of a read',
      figure: roundToThree(medians.read / medians.poll),
      goal: goals['time of a read'],
    },
    {
      what: 'the same in processor time of server and database',
      figure: roundToThree(median(processor.poll) / median(processor.read)),
      goal: goals['time of a read'],
    },
    ...Object.entries(latencies).map(([where, ms]) => ({
      what: `ms from a follow’s answer to that of a poll ${where}`,
      figure: roundToThree(ms),
      goal: goals['ms to the answer'],
    })),
  ],
  {
    rounds,
    seconds,
    connections,
    polls_per_second: Math.round(medians.poll),
    reads_per_second: Math.round(medians.read),
  },
);
