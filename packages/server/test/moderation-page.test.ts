// A morning by docs/moderation.md: every line of the page is run, in order and as written, and none is refused.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { administrator } from './administrators.ts';
import { sendAppeal } from './appeals.ts';
import { comment } from './comments.ts';
import { compileCache } from './compile-cache.ts';
import { startServer } from './harness.ts';
import { act, anArticle, aModerator } from './moderators.ts';
import { report } from './reports.ts';

const root = resolve(import.meta.dirname, '../../..');
const page = await readFile(join(root, 'docs/moderation.md'), 'utf8');
const lines = [...page.matchAll(/```bash\n([^`]*)```/g)].map(([, block]) => block).join('\n');

/** Every curl says which answer it got, beside what it prints. */
const watching = `
curl() {
  local status
  status=$(command curl -o /dev/stdout -w '%{stderr}%{http_code}\\n' "$@" 2>>"$SEEN.now")
  printf '%s\\n' "$status"
  printf '%s %s\\n' "$(tail -n 1 "$SEEN.now")" "$(printf %s "$*" | tr '\\n' ' ')" >> "$SEEN"
}
`;

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

async function statusIn(table: ReturnType<typeof sql>, id: string): Promise<string | undefined> {
  const row = await server.db.first(sql<{ status: string }>`
    select status from ${table} where bucket = ${bucketOf(id)} and id = ${id}`);
  return row?.status;
}

async function run(settings: Readonly<Record<string, string>>, folder: string) {
  const { host, port, user, database } = server.services.connection;
  const url = `postgres://${String(user)}@/${String(database)}?host=${encodeURIComponent(String(host))}&port=${String(port)}`;
  // What is the reader's to fill in is filled in.
  const filled = lines.replaceAll(
    /^(BASE|[A-Z]+)=(?:'Authorization: Bearer clp_…'|http:\S+)$/gm,
    ':',
  );
  const child = spawn('bash', ['-c', `${watching}\n${filled}`], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...compileCache,
      ...settings,
      SEEN: `${folder}/seen`,
      DATABASE_URL: url,
      DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => {
    child.once('close', resolve);
  });
  const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { out, complaint, seen: await readFile(`${folder}/seen`, 'utf8') };
}

const missing = ['bash', 'curl', 'sha256sum'].filter((program) => !isThere(program));

test(
  'nothing but the page and curl',
  { skip: missing.length > 0 && `no ${missing.join(', ')}` },
  async () => {
    const [moderator, colleague, third] = [
      await aModerator(server),
      await aModerator(server),
      await aModerator(server),
    ];
    const person = await server.register();
    const manager = await administrator(server, ['admin:manage', 'admin:moderate']);
    const { author, input } = await anArticle(server);
    const article = input.target_id;
    const { id: threat } = await comment(server, author, article);
    // What waits already: a report, and an appeal.
    const { input: quiet } = await anArticle(server);
    const waiting = await report(server, { target_id: quiet.target_id });
    const { id: other } = await server.published(author);
    const hidden = await act(server, third, { ...input, target_id: other });
    const appeal = await sendAppeal(server, author, hidden.id);

    const bearer = ({ token }: { readonly token: string }) => `Authorization: Bearer ${token}`;
    const { out, complaint, seen } = await run(
      {
        BASE: server.baseUrl,
        MODERATOR: bearer(moderator),
        COLLEAGUE: bearer(colleague),
        AUTHOR: bearer(author),
        PERSON: bearer(person),
        ADMIN: bearer(manager),
        ARTICLE_ID: article,
        COMMENT_ID: threat,
        PRINCIPAL_ID: person.id,
      },
      server.services.config.dataDir,
    );
    const asked = seen.trimEnd().split('\n');
    assert.ok(asked.length >= (lines.match(/\bcurl\b/g) ?? []).length, `${asked.length} requests`);
    assert.deepEqual(
      asked.filter((line) => !line.startsWith('2')),
      [],
      `${out}\n${complaint}`,
    );
    assert.doesNotMatch(`${out}${complaint}`, /undefined|command not found|BROKEN/);
    assert.equal(out.match(/The audit log is whole/g)?.length, 2);
    assert.deepEqual(
      [
        await statusIn(sql`reports`, waiting),
        await statusIn(sql`articles`, article),
        await statusIn(sql`articles`, other),
        await statusIn(sql`comments`, threat),
        await statusIn(sql`appeals`, appeal),
      ],
      ['rejected', 'hidden', 'hidden', 'visible', 'rejected'],
    );
  },
);
