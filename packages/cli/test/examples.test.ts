// Every example of every help text runs against a real service and succeeds.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { comment } from '../../server/test/comments.ts';
import { freshName, startServer } from '../../server/test/harness.ts';
import { pngOf } from '../../server/test/media-files.ts';
import { aModerator } from '../../server/test/moderators.ts';
import { report } from '../../server/test/reports.ts';
import { aSigner, signedArticle } from '../../server/test/signed-articles.ts';
import { leavesPublished } from '../../server/test/transparency-log.ts';
import { commandList } from '../src/command-list.ts';
import { exitTable } from '../src/exit-codes.ts';
import { examplesIn, parseLine } from './command-lines.ts';
import { openHome } from './run-cli.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const [ada, ben, moderator] = [
  await server.register(),
  await server.register(),
  await aModerator(server),
];
const home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
after(() => home[Symbol.asyncDispose]());

/** Of the articles below: the log has no checkpoint before the first. */
const publications = 3;

async function world(): Promise<Readonly<Record<string, string>>> {
  const signer = await aSigner(server, ada);
  const [article, other, signed] = [
    await server.published(ada, { content: 'An essay on proofs.' }),
    await server.published(ben),
    await signedArticle(server, signer),
  ];
  const answer = await comment(server, ben, article.id);
  const token = await home.json('token issue --name old');
  await home.out(['agent', 'create', freshName(), '--store', 'scribe']);
  await home.out('key create laptop');
  await home.out('key register laptop --profile scribe');
  const [first, second] = [
    await report(server, { target_id: other.id }),
    await report(server, { target_id: article.id }),
  ];
  await leavesPublished(server, publications);
  const { body } = await server.ask('GET', '/v1/events?limit=1', { token: ada.token });
  return {
    SERVICE_URL: server.baseUrl,
    ARTICLE_ID: article.id,
    ARTICLE_URL: article.url,
    OTHER_ARTICLE_ID: other.id,
    SIGNED_ARTICLE_ID: signed.id,
    COMMENT_ID: answer.id,
    USERNAME: ada.username,
    OTHER_USERNAME: ben.username,
    EVENT_ID: body.items[0].id,
    AGENT_NAME: freshName(),
    AGENT_ID: signer.id,
    TOKEN_ID: token.id,
    REPORT_ID: first,
    OTHER_REPORT_ID: second,
  };
}

async function writeFiles(): Promise<void> {
  const files: readonly (readonly [string, string | Buffer])[] = [
    ['essay.md', '# On proofs\n\nSome *Markdown*.\n'],
    ['note.md', '---\ntitle: A note\n---\n\nShort.\n'],
    ['answer.md', 'A longer answer.'],
    ['draft.json', '{"title":"T","content":"From JSON."}'],
    ['token.txt', ada.token],
    ['heron.png', pngOf(8, 8)],
  ];
  for (const [name, content] of files) await writeFile(join(home.folder, name), content);
}

await writeFiles();
const values = await world();
const fillIn = (line: string) => line.replaceAll(/\b[A-Z_]{5,}\b/g, (name) => values[name] ?? name);
/** Examples that moderators run. */
const env = { COLOPHON_TOKEN: moderator.token };

for (const { name } of commandList) {
  test(`the examples of colophon ${name}`, async () => {
    const lines = examplesIn(await home.out([name, '--help'], { columns: 200 }));
    assert.ok(lines.length > 0, 'a help teaches by example');
    for (const line of lines) {
      const { words, from } = parseLine(fillIn(line));
      assert.equal(words[0], 'colophon', line);
      const input = from === undefined ? '' : await readFile(join(home.folder, from));
      const options = name === 'moderate' ? { input, env } : { input };
      const { code, out, err } = await home.run(words.slice(1), options);
      assert.equal(code, 0, `${line}\n${err}`);
      if (words.includes('--json'))
        for (const one of out.trim().split('\n')) JSON.parse(one || '0');
    }
  });
}

test('the README has the table of exit codes', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| +(\d+) +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [
    Number(code),
    meaning,
  ]);
  assert.deepEqual(rows, exitTable());
});
