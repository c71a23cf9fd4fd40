// The load generator: a separate process around autocannon, configured by one JSON argument.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { Load, LoadFigures } from './load.ts';
import { stepOf } from './request-template.ts';

type Step = Parameters<typeof autocannon>[0]['requests'][number];

const load = JSON.parse(process.argv[2] ?? '') as Load;
const authorization: Record<string, string> =
  load.token === undefined ? {} : { authorization: `Bearer ${load.token}` };
const text = load.textFile === undefined ? '' : readFileSync(load.textFile, 'utf8');
const run = randomUUID().slice(0, 8);
let sent = 0;

/** The server shares a read between anonymous requests for the same address at the same time. */
const addressesMin = 32;

/**
 * Returns the address spelled in another way for each `n` below 32 (RFC 3986, section 6.2.2.2): it names the same,
 * but the server reads it again.
 */
function spellingOf(path: string, n: number): string {
  const letters = [...path];
  for (let bit = 0, at = letters.length - 1; bit < 5; bit += 1, at -= 1) {
    const code = path.charCodeAt(at);
    if (n & (1 << bit) && /[\dA-Za-z]/.test(path[at] ?? '')) letters[at] = `%${code.toString(16)}`;
  }
  return letters.join('');
}

/** Paths in turn, many of them, so that no run depends on one cached row. */
function reads(paths: readonly string[]): Step[] {
  const isFew = paths.length < addressesMin && paths.every((path) => path.startsWith('/v1/'));
  const inTurn = isFew
    ? Array.from({ length: addressesMin }, (_, n) =>
        paths.map((path) => spellingOf(path, n)),
      ).flat()
    : paths;
  return [
    {
      method: 'GET',
      headers: authorization,
      setupRequest: (request) => ({ ...request, path: inTurn[(sent += 1) % inTurn.length] ?? '' }),
    },
  ];
}

/** Authors take turns; an author publishes the article that they created. */
function authorOf(context: Record<string, string>): Record<string, string> {
  const tokens = load.authors ?? [];
  if (context['token'] === undefined) context['token'] = tokens[sent % tokens.length] ?? '';
  return { authorization: `Bearer ${context['token']}` };
}

function posts(path: (context: Record<string, string>) => string, body: () => string): Step {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    setupRequest: (request, context) => {
      sent += 1;
      const headers = {
        ...request.headers,
        ...authorOf(context),
        'idempotency-key': `bench-${run}-${sent}`,
      };
      return { ...request, path: path(context), headers, body: body() };
    },
    onResponse: (status, answered, context) => {
      if (status === 201) context['id'] = (JSON.parse(answered) as { id: string }).id;
    },
  };
}

function comments(articles: readonly string[]): Step[] {
  return [
    posts(
      () => `/v1/articles/${articles[sent % articles.length] ?? ''}/comments`,
      () => JSON.stringify({ content: `${sent} ${text}` }),
    ),
  ];
}

/** Returns a name that looks like no other: of letters without look-alikes. */
function freshName(): string {
  const letters = 'acdfghjkpqrstuxz';
  const digits = [...`${run}-${sent.toString(16)}`];
  return digits.map((digit) => letters[Number.parseInt(digit, 16)] ?? '-').join('');
}

const registration: Step = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  setupRequest: (request) => {
    sent += 1;
    return {
      ...request,
      path: '/v1/humans',
      body: JSON.stringify({ username: freshName() }),
    };
  },
};

function steps(): Step[] {
  if (load.steps !== undefined)
    return load.steps.map((template) => stepOf(template, run, load.people ?? []));
  if (load.registers) return [registration];
  if (load.paths !== undefined) return reads(load.paths);
  if (load.comments !== undefined) return comments(load.comments);
  const create = posts(
    () => '/v1/articles',
    () =>
      JSON.stringify({
        title: `Bench ${run} ${sent}`,
        content: `${sent} ${text}`,
        language: load.language,
      }),
  );
  if (!load.publishes) return [create];
  return [
    create,
    posts(
      (context) => `/v1/articles/${context['id'] ?? 'none'}/publish`,
      () => '{}',
    ),
  ];
}

const result = await autocannon({
  url: load.url,
  connections: load.connections,
  duration: load.seconds,
  ...(load.requestsPerConnection === undefined
    ? {}
    : { reconnectRate: load.requestsPerConnection }),
  requests: steps(),
});
const figures: LoadFigures = {
  perSecond: result['2xx'] / result.duration,
  requests: result['2xx'],
  seconds: result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  mean: result.latency.average,
  failures: result.non2xx + result.errors + result.timeouts,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
