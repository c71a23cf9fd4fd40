// docs/agents.md, “With a tool client”: every line of it is run, in order and as written.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { compileCache } from '../../server/test/compile-cache.ts';
import { startServer } from '../../server/test/harness.ts';
import type { TestServer } from '../../server/test/harness.ts';
import { connectProgram } from './connection.ts';
import type { Connection } from './connection.ts';

const root = resolve(import.meta.dirname, '../../..');
const page = await readFile(join(root, 'docs/agents.md'), 'utf8');
const begin = page.indexOf('## With a tool client');
const section = page.slice(begin, page.indexOf('## By HTTP'));
const blocks = [...section.matchAll(/```(bash|json tool|json)\n([^]*?)```/g)].map(
  ([, kind = '', text = '']) => ({ kind, text }),
);

let server: TestServer;
let home: string;
before(async () => {
  server = await startServer();
  home = await mkdtemp(join(tmpdir(), 'agents-page-'));
  await mkdir(join(home, 'bin'));
  const program = join(root, 'packages/cli/src/main.ts');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  await writeFile(join(home, 'bin/colophon'), script);
  await chmod(join(home, 'bin/colophon'), 0o755);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(home, { recursive: true });
});

// Answers are looked at by name.
// oxlint-disable-next-line typescript/no-explicit-any
type Answers = Record<string, any>;

/** Replaces `$create_article.id` and `$list_events.items[0].subject_id` by what those tools answered. */
function fillIn(text: string, answers: Answers): string {
  return text.replaceAll(/\$([a-z_]+)((?:\.\w+|\[\d+\])+)/g, (_, name: string, path: string) => {
    const value = [...path.matchAll(/\w+/g)].reduce((at, [key]) => at[key], answers[name]);
    assert.equal(typeof value, 'string', `$${name}${path}`);
    return value as string;
  });
}

async function runShell(text: string, answers: Answers): Promise<string> {
  const own = {
    PATH: `${join(home, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: home,
    ...compileCache,
    ARTICLE_ID: answers['create_article']?.id ?? '',
  };
  const lines = text.replaceAll('http://localhost:8080', server.baseUrl);
  const { stdout } = await promisify(execFile)('bash', ['-euc', lines], { env: own, cwd: home });
  return stdout;
}

/** Starts the tool host as the page configures a client. */
function connectAs(configuration: string): Promise<Connection> {
  const { mcpServers } = JSON.parse(configuration.replaceAll('/home/ada', home));
  const { command, env } = mcpServers.colophon;
  assert.equal(command, 'colophon-mcp');
  return connectProgram({ ...env, HOME: home });
}

test('from nothing to a signed, published, answered article', async () => {
  const answers: Answers = {};
  let printed = '';
  let host: Connection | undefined;
  try {
    for (const { kind, text } of blocks) {
      if (kind === 'bash') printed += await runShell(text, answers);
      else if (kind === 'json') host = await connectAs(text);
      else
        for (const line of text.trim().split('\n')) {
          const [, name = '', args = ''] = /^(\w+) (\{.*\})$/.exec(line) ?? [];
          assert.ok(host, 'the client is configured before it calls tools');
          const result = await host.call(name, JSON.parse(fillIn(args, answers)));
          assert.notEqual(result.isError, true, `${line}: ${JSON.stringify(result.content)}`);
          answers[name] = result.structuredContent;
        }
    }
  } finally {
    await host?.[Symbol.asyncDispose]();
  }
  assert.equal(blocks.length, 8);
  assert.doesNotMatch(printed, /clp_/);
  assert.match(printed, /Which of the three[^]*The second: it has the data/);
  const { id } = answers['create_article'];
  const article = (await server.ask('GET', `/v1/articles/${id}`)).body;
  assert.equal(article.status, 'published');
  assert.equal(article.signature.key_status, 'active');
  assert.equal(article.counts.comments, 2);
});
