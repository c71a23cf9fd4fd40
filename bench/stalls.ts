// The longest stall of the event loop that any one request causes, over hostile texts and bodies.
//   npm run bench -- stalls
import { freePort } from '../packages/server/src/http/index.ts';
import { post, registerAuthor } from './parts/author.ts';
import type { Registered } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { rounded, show } from './parts/figures.ts';
import { hostileBodies, hostileReads } from './parts/hostile-reads.ts';

/** Milliseconds that a request may hold up the others: of texts, and of bodies of 8 MB. */
const goals = { texts: 50, bodies: 100 } as const;
const probe = new URL('parts/stall-probe.mjs', import.meta.url).href;

interface Worst {
  readonly processorMs: number;
  readonly clockMs: number;
}

interface Case {
  readonly request: string;
  readonly text: string;
  readonly goal: number;
  /** Answers the status. */
  readonly send: () => Promise<number>;
}

interface Seen extends Worst {
  readonly text: string;
  readonly status: number;
  readonly goal: number;
}

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const headers = { connection: 'close', ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(url, { ...init, headers });
  await response.arrayBuffer();
  return response.status;
}

function bearer({ token }: Registered): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function jsonOf(author: Registered): Record<string, string> {
  const key = { 'idempotency-key': crypto.randomUUID() };
  return { ...bearer(author), ...key, 'content-type': 'application/json' };
}

/** What can be asked of an article, once it is published. */
function readsOf(baseUrl: string, author: Registered, article: Record<string, string>) {
  const { id = '', url = '' } = article;
  const api = `${baseUrl}/v1/articles/${id}`;
  const page = `${baseUrl}/@${author.username}/${url.split('/').at(-1) ?? ''}`;
  const own = `${baseUrl}/@${author.username}`;
  const search = `${baseUrl}/v1/search?limit=100&q=${encodeURIComponent('needle')}`;
  return {
    'GET article': api,
    'GET article, spotlight': `${api}?view=spotlight`,
    'GET diff': `${api}/diff`,
    'GET page, rendered': page,
    'GET page, kept': page,
    'GET page as Markdown': `${page}.md`,
    'GET feed.atom': `${own}/feed.atom`,
    'GET feed.json': `${own}/feed.json`,
    'GET list of 100': `${baseUrl}/v1/articles?limit=100&author=${author.id}`,
    'GET search of 100': search,
    'GET comments, spotlight': `${api}/comments?limit=100&view=spotlight`,
  };
}

async function publish(baseUrl: string, author: Registered, content: string) {
  const made = await post(`${baseUrl}/v1/articles`, { title: 'needle', content }, author.token);
  const path = `${baseUrl}/v1/articles/${made['id']}`;
  await post(`${path}/publish`, {}, author.token);
  const headers = { ...jsonOf(author), 'if-match': `"${made['revision_id']}"` };
  const body = JSON.stringify({ content: content.slice(1) });
  await statusOf(`${path}/revisions`, { method: 'POST', headers, body });
  await post(`${path}/publish`, {}, author.token);
  const comment = { content: content.slice(0, 8_000) };
  for (let n = 0; n < 5; n += 1) await post(`${path}/comments`, comment, author.token);
  return made;
}

async function* textCases(baseUrl: string): AsyncGenerator<Case> {
  for (const [text, content] of Object.entries(hostileReads)) {
    const author = await registerAuthor(baseUrl);
    const path = `${baseUrl}/v1/articles`;
    const body = JSON.stringify({ title: text, content });
    const goal = goals.texts;
    const send = () => statusOf(path, { method: 'POST', headers: jsonOf(author), body });
    yield { request: 'POST article', text, goal, send };
    const reads = readsOf(baseUrl, author, await publish(baseUrl, author, content));
    for (const [request, url] of Object.entries(reads)) {
      yield { request, text, goal, send: () => statusOf(url) };
      const headers = bearer(author);
      if (url.includes('/v1/'))
        yield {
          request: `${request}, with a token`,
          text,
          goal,
          send: () => statusOf(url, { headers }),
        };
    }
  }
}

async function* bodyCases(baseUrl: string): AsyncGenerator<Case> {
  const author = await registerAuthor(baseUrl);
  for (const [text, body] of Object.entries(hostileBodies)) {
    const send = () =>
      statusOf(`${baseUrl}/v1/articles`, { method: 'POST', headers: jsonOf(author), body });
    yield { request: 'POST article of 8 MB', text, goal: goals.bodies, send };
  }
}

async function measure(ask: () => Promise<Worst>, { text, goal, send }: Case): Promise<Seen> {
  await ask();
  const status = await send();
  return { ...(await ask()), text, status, goal };
}

const port = await freePort('127.0.0.1');
await using database = await openBenchDatabase();
await using server = await startColophon(database.url(), { STALL_PROBE_PORT: String(port) }, [
  '--import',
  probe,
]);
const ask = async () => (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Worst;
const worst = new Map<string, Seen>();
for (const cases of [textCases(server.url), bodyCases(server.url)])
  for await (const one of cases) {
    const seen = await measure(ask, one);
    const before = worst.get(one.request);
    if (before === undefined || seen.processorMs > before.processorMs) worst.set(one.request, seen);
    process.stderr.write('.');
  }
process.stderr.write('\n');
const rows = [...worst].map(([request, { text, status, processorMs, clockMs, goal }]) => ({
  request,
  text,
  status,
  'stall, ms of processor': rounded(processorMs),
  'stall, ms by the clock': rounded(clockMs),
  goal,
}));
show('stalls', rows);
process.exitCode = [...worst.values()].every(({ processorMs, goal }) => processorMs <= goal)
  ? 0
  : 1;
