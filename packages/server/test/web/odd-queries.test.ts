// Every page with NUL, with bytes that are not text, and with the names of a prototype in every parameter: never a 500.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { settle } from '#test/forms/people';
import { walk } from '#test/forms/walk';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { fetchPage } from '#test/page';
import { isTest, readSources } from '../architecture/sources.ts';
import { dealInTurn } from '../faults/sampled.ts';
import { seed } from '../seed.ts';

/** The parameters that pages read, by their names in the sources; the lists are those of filters. */
const lists = 'author topic language disclosure kind signed since until actor target action'.split(
  ' ',
);
const named = /(?:queryValue\([^,()]+, |query\.get(?:All)?\()'(\w+)'/g;
const parameters = new Set(
  readSources(join(import.meta.dirname, '../../src/web'), '**/*.ts')
    .filter((source) => !isTest(source))
    .flatMap(({ text }) => Array.from(text.matchAll(named), ([, name = '']) => name))
    .concat(lists),
);

type Fetch = (path: string) => ReturnType<typeof fetchPage>;

let server: TestServer;
/** One address of each page, and how it is fetched. */
let pages: readonly (readonly [path: string, fetch: Fetch])[];
before(async () => {
  server = await startServer();
  const { starts, browser } = await settle(server);
  const stranger: Fetch = (path) => fetchPage(server, path);
  const met = await Promise.all(
    [browser.page, stranger].map(async (fetch) => {
      const found = await walk({ server, fetch, starts, ofKind: 1 });
      const ofPattern = new Map(found.map(({ pattern, path }) => [pattern, path]));
      return [...ofPattern.values()].map((path) => [path.split('?')[0] ?? path, fetch] as const);
    }),
  );
  pages = met.flat();
});
after(() => server[Symbol.asyncDispose]());

/**
 * Sends queries to every page, and returns the failures. Each page gets the next two, which come round many times; in
 * a long run each page gets all.
 */
async function sendDealt(
  queries: readonly string[],
  isFailure: (status: number) => boolean,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const deal = dealInTurn(queries, 2);
  assert.ok(pages.length > queries.length, 'every query is sent');
  for (const [path, fetch] of pages)
    for (const query of deal()) {
      const { status } = await fetch(`${path}?${query}`);
      if (isFailure(status)) failures.push(`${status} ${path}?${query}`);
    }
  return failures;
}

test('the parameters of pages are found in the sources', () => {
  assert.ok(parameters.size > 30, [...parameters].join());
  for (const name of ['cursor', 'q', 'said', 'kind']) assert.ok(parameters.has(name), name);
});

test('400 for NUL and for bytes that are not text, on every page', async () => {
  const isOther = (status: number) => status !== 400;
  const bad = ['%00', 'a%00b', '%ff', '%zz'];
  const each = [...parameters].map((name) => `${name}=%00`);
  const queries = [
    ...bad.map((value) => `any=${value}`),
    each.join('&'),
    '%00=a',
    ...each.slice(0, 3),
  ];
  assert.deepEqual(await sendDealt(queries, isOther), [], `SEED=${seed}`);
});

test('no 500 for the name of a prototype’s member in any parameter', async () => {
  const isFailure = (status: number) => status >= 500;
  // Of many parameters the first invalid one is refused, and hides the others.
  const names = [...parameters];
  const groups = Array.from({ length: Math.ceil(names.length / 6) }, (_, at) =>
    names.slice(6 * at, 6 * at + 6),
  );
  const each = groups.map((group) => group.map((name) => `${name}=__proto__`).join('&'));
  const together = names.map((name) => `${name}=constructor`).join('&');
  const values = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'];
  const ofSearch = values.map((value) => `q=a&type=${value}`);
  const queries = [...each, together, ...ofSearch];
  assert.deepEqual(await sendDealt(queries, isFailure), [], `SEED=${seed}`);
});
