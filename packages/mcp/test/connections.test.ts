// Resources, prompts and subscriptions over stdio and HTTP, and what a connection over HTTP may do.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from '../../server/test/harness.ts';
import type { Human, TestServer } from '../../server/test/harness.ts';
import { serveHttp } from '../src/http.ts';
import type { Listening } from '../src/http.ts';
import { readSettings } from '../src/settings.ts';
import { connect, connectHttp, contentOf, revisions } from './connection.ts';
import type { Connection, Revision } from './connection.ts';

let server: TestServer;
let ada: Human;
let bob: Human;
let http: Listening;
before(async () => {
  server = await startServer();
  [ada, bob] = [await server.register(), await server.register()];
  const settings = readSettings(['--http', '--port', '0'], { COLOPHON_URL: server.baseUrl });
  assert.ok(settings.http);
  http = await serveHttp(settings, settings.http);
});
after(async () => {
  await http[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const ways: Readonly<
  Record<string, (token: string | undefined, revision: Revision) => Promise<Connection>>
> = {
  stdio: (token, revision) =>
    connect({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: token }, [], revision),
  http: (token, revision) => connectHttp(http.url, token, revision),
};

function isText(content: unknown): content is { readonly text: string } {
  return typeof (content as { text?: unknown }).text === 'string';
}

async function resourceText({ client }: Connection, uri: string): Promise<string> {
  const [content] = (await client.readResource({ uri })).contents;
  assert.ok(isText(content));
  return content.text;
}

/** Subscribes, comments, and returns the addresses that were reported as changed. */
async function changesAfterComment(
  host: Connection,
  revision: Revision,
  id: string,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const uris = ['colophon://events', `colophon://article/${id}`];
  const both = new Promise<void>((resolve) => {
    host.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      seen.add(params.uri);
      if (seen.size === uris.length) resolve();
    });
  });
  if (revision === '2025-11-25') {
    for (const uri of uris) await host.client.subscribeResource({ uri });
  } else await host.client.listen({ resourceSubscriptions: uris });
  await server.ask('POST', `/v1/articles/${id}/comments`, {
    token: bob.token,
    key: true,
    body: { content: 'New.' },
  });
  await both;
  return seen;
}

for (const [way, connectBy] of Object.entries(ways)) {
  for (const revision of revisions) {
    test(`${way}, ${revision}: resources, completion, prompts and subscriptions`, async () => {
      const { id } = await server.published(ada, { title: 'SECRET-TITLE', content: 'The text.' });
      await using host = await connectBy(ada.token, revision);
      const { resources } = await host.client.listResources();
      assert.equal(resources[0]?.uri, 'colophon://events');
      assert.ok(resources.some(({ uri }) => uri === `colophon://article/${id}`));
      assert.ok(!JSON.stringify(resources).includes('SECRET-TITLE'));
      const { resourceTemplates } = await host.client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map(({ name }) => name),
        ['article', 'history', 'revision'],
      );
      const uri = `colophon://article/${id}`;
      assert.match(await resourceText(host, uri), /<(untrusted-\w+)>\n.*The text\.\n<\/\1>/s);
      const history = await resourceText(host, `${uri}/revisions`);
      const revisionId = /revision_id: (\w{26})/.exec(history)?.[1];
      assert.match(await resourceText(host, `${uri}/revisions/${revisionId}`), /The text\./);
      await assert.rejects(
        resourceText(host, 'colophon://article/01J8ZQ4Y7D3M5N6P8R9S0T1V2W'),
        /not found/i,
      );
      await assert.rejects(resourceText(host, 'colophon://article/../me'), /not found/i);

      const ref = { type: 'ref/resource', uri: 'colophon://article/{id}' } as const;
      const argument = { name: 'id', value: id.slice(0, 20).toLowerCase() };
      const { completion } = await host.client.complete({ ref, argument });
      assert.ok(completion.values.includes(id));

      const { prompts } = await host.client.listPrompts();
      assert.deepEqual(
        prompts.map(({ name }) => name),
        ['answer_what_is_new', 'review_article', 'publish_note'],
      );
      const prompt = await host.client.getPrompt({ name: 'review_article', arguments: { id } });
      assert.match(JSON.stringify(prompt.messages), new RegExp(id));
      await assert.rejects(host.client.getPrompt({ name: 'review_article' }), /id is missing/);

      const seen = await changesAfterComment(host, revision, id);
      assert.deepEqual([...seen].toSorted(), [`colophon://article/${id}`, 'colophon://events']);
    });

    test(`${way}, ${revision}: a caller without the scope cannot subscribe`, async () => {
      const token = await server.tokenWith(ada, ['articles:read']);
      await using host = await connectBy(token, revision);
      const subscribing =
        revision === '2025-11-25'
          ? host.client.subscribeResource({ uri: 'colophon://events' })
          : host.client.listen({ resourceSubscriptions: ['colophon://events'] });
      await assert.rejects(subscribing, /lacks a scope/);
    });
  }
}

test('with --read-only, prompts that write are not offered', async () => {
  await using host = await connect({ COLOPHON_URL: server.baseUrl }, ['--read-only']);
  assert.deepEqual((await host.client.listPrompts()).prompts, []);
  await assert.rejects(
    host.client.getPrompt({ name: 'publish_note', arguments: { about: 'x' } }),
    /no such prompt/,
  );
});

test('two callers at once never mix: every answer belongs to the token of its request', async () => {
  const callers = revisions.flatMap((revision) => [
    { human: ada, revision },
    { human: bob, revision },
  ]);
  const connections = await Promise.all(
    callers.map(async ({ human, revision }) => ({
      human,
      host: await connectHttp(http.url, human.token, revision),
    })),
  );
  const anonymous = await connectHttp(http.url, undefined);
  const rounds = Array.from({ length: 10 }, async () => {
    const answers = connections.map(async ({ human, host }) => {
      const account = await host.call('check_in');
      assert.equal(contentOf(account)['principal'].id, human.id);
    });
    const refused = await anonymous.call('check_in');
    assert.equal(contentOf(refused)['status'], 401);
    await Promise.all(answers);
  });
  await Promise.all(rounds);
  for (const { host } of connections) await host[Symbol.asyncDispose]();
  await anonymous[Symbol.asyncDispose]();
});

interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

/** Sends a request with headers that fetch does not let through, such as Host. */
function send({ path = '/mcp', headers = {}, body = initialize }: Sent) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(http.url);
      const message = httpRequest(
        {
          hostname,
          port,
          path,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
        },
      );
      message.on('error', reject).end(JSON.stringify(body));
    },
  );
}

test('pages of other origins, other host names, and tokens in a URL are refused', async () => {
  assert.equal((await send({})).status, 200);
  assert.equal((await send({ headers: { origin: 'http://localhost:3000' } })).status, 200);
  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example'])
    assert.equal((await send({ headers: { origin } })).status, 403, origin);
  for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example'])
    assert.equal((await send({ headers: { host } })).status, 403, host);
  for (const path of [`/mcp?token=${ada.token}`, '/mcp?'])
    assert.equal((await send({ path })).status, path === '/mcp?' ? 200 : 400, path);
  assert.equal((await send({ path: '/' })).status, 404);
});

test('a session is not a credential, nor is a cookie: each request needs the token of the session', async () => {
  const authorization = `Bearer ${ada.token}`;
  const begun = await send({ headers: { authorization } });
  const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
  assert.equal((await send({ headers: { ...session, authorization }, body: list })).status, 200);
  for (const headers of [
    {},
    { authorization: `Bearer ${bob.token}` },
    { cookie: `token=${ada.token}; session=${ada.token}` },
  ])
    assert.equal((await send({ headers: { ...session, ...headers }, body: list })).status, 404);
  for (const field of ['Bearer', 'Basic YTpi', `Bearer ${ada.token} more`]) {
    const refused = await send({ headers: { authorization: field } });
    assert.equal(refused.status, 401, field);
    assert.match(String(refused.headers['www-authenticate']), /^Bearer /);
  }
  const call = {
    ...list,
    method: 'tools/call',
    params: { name: 'check_in', arguments: {} },
  };
  const anonymous = await send({ headers: { cookie: `token=${ada.token}` }, body: call });
  assert.match(anonymous.text, /"status":401/);
});

test('the settings of the operator are not lent to callers over HTTP', () => {
  for (const name of ['TOKEN', 'PROFILE', 'KEY_FILE', 'UPLOAD_DIR'].map((one) => `COLOPHON_${one}`))
    assert.throws(() => readSettings(['--http'], { [name]: 'x' }), new RegExp(`Unset ${name}`));
  assert.throws(() => readSettings(['--http', '--host', '0.0.0.0'], {}), /--allow-host/);
  assert.throws(() => readSettings(['--token', 'x'], {}), /Unknown option/);
  const open = readSettings(['--http', '--host', '0.0.0.0', '--allow-host', 'tools.example'], {});
  assert.deepEqual(open.http?.hosts, ['tools.example']);
  assert.deepEqual(open.http?.origins, []);
});

test('a profile of the command line is the account; a part of it is never mixed with another', async () => {
  const home = await mkdtemp(join(tmpdir(), 'colophon-mcp-'));
  try {
    const folder = join(home, '.config/colophon/profiles');
    await mkdir(folder, { recursive: true });
    const profile = { url: server.baseUrl, token: ada.token, principal_id: ada.id, username: 'a' };
    await writeFile(join(folder, 'work.json'), JSON.stringify(profile));
    await writeFile(join(folder, 'broken.json'), `{"token": ${ada.token}`);
    const env = { HOME: home, COLOPHON_PROFILE: 'work' };
    await using host = await connect(env);
    const account = await host.call('check_in');
    assert.equal(contentOf(account)['principal'].id, ada.id);
    // An empty or relative folder is none: it would depend on the folder that the program runs in.
    for (const XDG_CONFIG_HOME of ['', relative(process.cwd(), join(home, 'other'))])
      assert.equal(readSettings([], { ...env, XDG_CONFIG_HOME }).token, ada.token);
    assert.throws(
      () => readSettings([], { ...env, COLOPHON_URL: 'https://evil.example' }),
      /not both/,
    );
    for (const name of ['broken', 'none', '../work'])
      assert.throws(
        () => readSettings([], { ...env, COLOPHON_PROFILE: name }),
        (error: Error) => /no profile/.test(error.message) && !error.message.includes(ada.token),
      );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
