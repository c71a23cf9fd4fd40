// The program against a service that misbehaves: every logical call takes effect exactly once.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from '../../server/src/database/index.ts';
import { effort } from '../../server/test/effort.ts';
import { freshName, startServer } from '../../server/test/harness.ts';
import type { Human } from '../../server/test/harness.ts';
import { pngOf } from '../../server/test/media-files.ts';
import { faults, startFaultyProxy } from '../../sdk/test/faulty-proxy.ts';
import type { Plan } from '../../sdk/test/faulty-proxy.ts';
import { openHome } from './run-cli.ts';
import type { Home } from './run-cli.ts';

// Nothing here waits for the pipeline, and each image that it works on is a process.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

/** A generator of numbers below 1 (mulberry32), so that a failure can be repeated by its seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Effects {
  readonly articles: number;
  readonly revisions: number;
  readonly comments: number;
  readonly edges: number;
  readonly follows: number;
  readonly media: number;
  readonly agents: number;
  readonly keys: number;
  readonly usable_tokens: number;
}

/** What one person and their agents have on the service, counted in its tables. */
async function effectsOf({ id }: Human): Promise<Effects> {
  const [counts] = await server.db.rows(sql<Effects>`
    with own as (select id from principals where id = ${id} or owner_principal_id = ${id})
    select (select count(*)::int from articles where author_id = ${id}) as articles,
      (select count(*)::int from revisions r join articles a on a.id = r.article_id
       where a.author_id = ${id}) as revisions,
      (select count(*)::int from comments where author_id = ${id}) as comments,
      (select count(*)::int from edges e join articles a on a.id = e.src_article_id
       where a.author_id = ${id}) as edges,
      (select count(*)::int from follows where follower_id = ${id}) as follows,
      (select count(*)::int from media where owner_principal_id = ${id} and status = 'ready') as media,
      (select count(*)::int from principals where owner_principal_id = ${id}) as agents,
      (select count(*)::int from signing_keys where agent_id in (select id from own)) as keys,
      (select count(*)::int from tokens where principal_id in (select id from own)
       and revoked_at is null) as usable_tokens`);
  assert.ok(counts);
  return counts;
}

/**
 * Runs a command until it succeeds, as a script does that does not know what happened: with the same key. A
 * response that was cut within its JSON is not retried by the client, because it may be anybody's.
 */
async function insist(home: Home, args: readonly string[]): Promise<string> {
  const key = ['--idempotency-key', crypto.randomUUID()];
  for (let run = 1; ; run += 1) {
    const { code, out, err } = await home.run([
      ...args,
      ...key,
      '--timeout',
      '0.5',
      '--attempts',
      '6',
    ]);
    if (code === 0) return out;
    assert.ok([15, 23, 26, 27, 28, 29].includes(code), `${args.join(' ')}: ${code}\n${err}`);
    assert.ok(run < 20, err);
  }
}

/** One of everything that a person does, each once; returns the number of each. */
async function doEverything(
  home: Home,
  targets: { article: string; comment: string; name: string },
) {
  const { article, comment, name } = targets;
  await writeFile(join(home.folder, 'essay.md'), '# On faults\n\nFirst.\n');
  await writeFile(join(home.folder, 'heron.png'), pngOf(8, 8));
  const published = JSON.parse(await insist(home, ['publish', 'essay.md', '--json']));
  await insist(home, ['comment', article, 'I agree.', '--stance', 'supports']);
  await insist(home, ['reply', comment, 'So do I.']);
  await insist(home, ['edge', published.id, 'cites', article]);
  await insist(home, ['follow', name]);
  await insist(home, ['upload', 'heron.png']);
  const agent = freshName();
  const { principal_id } = JSON.parse(await insist(home, ['agent', 'create', agent, '--json']));
  await home.out('key create laptop');
  await insist(home, ['key', 'register', 'laptop', '--agent', principal_id]);
  await insist(home, ['api', 'update-article', '--id', published.id, '--language', 'fr']);
}

const expected: Effects = {
  articles: 1,
  revisions: 1,
  comments: 2,
  edges: 1,
  follows: 1,
  media: 1,
  agents: 1,
  keys: 1,
  usable_tokens: 1,
};

async function underFaults(choose: Plan): Promise<number> {
  await using proxy = await startFaultyProxy(server.baseUrl);
  const [human, other] = [await server.register(), await server.register()];
  await using home = await openHome({ COLOPHON_URL: proxy.baseUrl, COLOPHON_TOKEN: human.token });
  const { id: article } = await server.published(other);
  const path = `/v1/articles/${article}/comments`;
  const said = await server.ask('POST', path, {
    token: other.token,
    key: true,
    body: { content: 'x' },
  });
  proxy.plan(choose);
  await doEverything(home, { article, comment: said.body.id, name: other.username });
  assert.deepEqual(await effectsOf(human), expected);
  return proxy.injected();
}

test('every kind of fault at the first of equal requests: each effect happens exactly once', async () => {
  await Promise.all(
    Object.entries(faults).map(async ([name, fault]) => {
      const seen = new Set<string>();
      const injected = await underFaults((method, path) => {
        const isFirst = !seen.has(`${method} ${path}`);
        seen.add(`${method} ${path}`);
        return isFirst ? fault : undefined;
      });
      assert.ok(injected > 5, `${name}: ${injected}`);
    }),
  );
});

test('faults of all kinds at random', async () => {
  const kinds = Object.values(faults);
  const seeds = effort(1, 40);
  let injected = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = randomFrom(seed);
    injected += await underFaults(() =>
      random() < 0.4 ? kinds[Math.floor(random() * kinds.length)] : undefined,
    );
  }
  assert.ok(injected >= 5 * seeds, `${injected} faults`);
});

/** Loses every second answer to a request for a token, up to a number of losses. */
function losingTokens(losses: number): Plan {
  let asked = 0;
  return (method, path) => {
    if (method !== 'POST' || path !== '/v1/tokens') return undefined;
    asked += 1;
    return asked % 2 === 1 && asked < losses * 2 ? faults['a reset after its effect'] : undefined;
  };
}

test('a token whose secret was lost is revoked, and another one is issued', async () => {
  await using proxy = await startFaultyProxy(server.baseUrl);
  const human = await server.register();
  await using home = await openHome({ COLOPHON_URL: proxy.baseUrl, COLOPHON_TOKEN: human.token });
  proxy.plan(losingTokens(1));
  const token = (await home.out('token issue --name ci')).trim();
  assert.equal(
    (await home.json('whoami', { env: { COLOPHON_TOKEN: token } })).principal.id,
    human.id,
  );
  assert.equal((await effectsOf(human)).usable_tokens, 2);
});

test('an agent gets its token although the answer with the secret was lost', async () => {
  await using proxy = await startFaultyProxy(server.baseUrl);
  const human = await server.register();
  await using home = await openHome({ COLOPHON_URL: proxy.baseUrl, COLOPHON_TOKEN: human.token });
  proxy.plan(losingTokens(1));
  const agent = freshName();
  await home.out(['agent', 'create', agent, '--store', 'scribe']);
  assert.equal((await home.json('whoami --profile scribe')).principal.username, agent);
  assert.equal((await effectsOf(human)).usable_tokens, 2);
});

test('when the secret was lost twice, the advice works; the same command with its key says what it issued', async () => {
  await using proxy = await startFaultyProxy(server.baseUrl);
  const human = await server.register();
  await using home = await openHome({ COLOPHON_URL: proxy.baseUrl, COLOPHON_TOKEN: human.token });
  const create = ['agent', 'create', freshName(), '--idempotency-key', 'one-key-for-all'];
  proxy.plan(losingTokens(2));
  const lost = await home.run([...create, '--store', 'scribe']);
  assert.deepEqual([lost.code, lost.out], [1, '']);
  const [, advice = ''] = /Next: Issue another one: colophon (.*)\n/.exec(lost.err) ?? [];
  assert.equal((await effectsOf(human)).usable_tokens, 1);
  await home.out(advice);
  await home.out('whoami --profile scribe');
  await home.out('profile remove scribe');
  const again = await home.run([...create, '--store', 'scribe']);
  assert.deepEqual([again.code, again.out], [1, '']);
  assert.match(again.err, /was issued with this key before/);
  assert.equal((await effectsOf(human)).usable_tokens, 2);
});

test('a token that a script issued with a key goes on working when the script runs again', async () => {
  const human = await server.register();
  await using home = await openHome({
    COLOPHON_URL: server.baseUrl,
    COLOPHON_TOKEN: human.token,
  });
  const command = 'token issue --name ci --idempotency-key deploy-of-today';
  const token = (await home.out(command)).trim();
  const again = await home.run(command);
  assert.deepEqual([again.code, again.out], [1, '']);
  assert.match(again.err, /colophon token revoke /);
  await home.out('whoami', { env: { COLOPHON_TOKEN: token } });
  assert.equal((await effectsOf(human)).usable_tokens, 2);
});

test('a sign-up has no key: its outcome is said to be unknown, and nothing is repeated', async () => {
  await using proxy = await startFaultyProxy(server.baseUrl);
  await using home = await openHome();
  const username = freshName();
  proxy.plan((method) => (method === 'POST' ? faults['a reset after its effect'] : undefined));
  const { code, err } = await home.run(['signup', username, '--url', proxy.baseUrl]);
  assert.equal(code, 28);
  assert.match(err, /not known whether the last request had its effect/);
  assert.equal(proxy.injected(), 1);
});

test('events --follow prints each event once and in order, through every kind of fault', async () => {
  await using proxy = await startFaultyProxy(server.baseUrl);
  const [human, other] = [await server.register(), await server.register()];
  await using home = await openHome({ COLOPHON_URL: proxy.baseUrl, COLOPHON_TOKEN: human.token });
  const { id } = await server.published(human);
  const kinds = Object.values(faults).filter((_, at) => at !== 6 && at !== 7);
  let count = 0;
  proxy.plan(() => ((count += 1) % 2 === 1 ? kinds[(count >> 1) % kinds.length] : undefined));
  const following = home.out('events --follow --json --limit 6 --timeout 0.5');
  const said: string[] = [];
  for (let at = 0; at < 6; at += 1) {
    const path = `/v1/articles/${id}/comments`;
    const body = { content: `Comment ${at}` };
    const made = await server.ask('POST', path, { token: other.token, key: true, body });
    said.push(made.body.id);
  }
  const lines = (await following).trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).subject_id),
    said,
  );
});
