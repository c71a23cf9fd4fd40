// Texts as arguments: comments, which may be texts of others, and the words of a search.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { json, startScript } from '../../sdk/test/scripted-server.ts';
import { startServer } from '../../server/test/harness.ts';
import { openHome } from './run-cli.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const ada = await server.register();
const home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
after(() => home[Symbol.asyncDispose]());

test('the text of a comment is never the name of a file; --file is', async () => {
  const { id: article } = await server.published(ada);
  const comment = ['comment', article];
  const ways: readonly (readonly [readonly string[], string])[] = [
    [['@ada I agree.'], '@ada I agree.'],
    [['@text.md'], '@text.md'],
    [['@@ada'], '@@ada'],
    [['--file', 'text.md'], 'From a *file*.'],
    [['-'], 'From *input*.'],
    [[], 'From *input*.'],
  ];
  await writeFile(join(home.folder, 'text.md'), 'From a *file*.');
  for (const [words, content] of ways) {
    const made = await home.json([...comment, ...words], { input: 'From *input*.' });
    assert.equal(made.content, content);
    const reply = await home.json(['reply', made.id, ...words], { input: 'From *input*.' });
    assert.equal(reply.content, content);
  }
  assert.equal((await home.run([...comment, 'A text.', '--file', 'text.md'])).code, 2);
});

test('one word never names a file, and a text that begins with a hyphen is put behind --', async () => {
  const { id: article } = await server.published(ada);
  await writeFile(join(home.folder, 'private.txt'), 'A secret.');
  const made = JSON.parse(await home.out(['--json', 'comment', article, '--', '- a list item']));
  assert.equal(made.content, '- a list item');
  for (const target of [
    ['comment', article],
    ['reply', made.id],
  ]) {
    const glued = await home.run([...target, '--file=private.txt']);
    assert.deepEqual([glued.code, glued.out], [2, '']);
    assert.match(glued.err, /two words[^]*Next: .*`--file FILE`.*`--` before/);
    const text = await home.run([...target, '- a list item']);
    assert.deepEqual([text.code, /Next: Put `--` before a text/.test(text.err)], [2, true]);
    const asJson = await home.run([...target, '-1 I disagree', '--json']);
    assert.match(JSON.parse(asJson.err).next, /Put `--` before a text/);
    assert.match(await home.out([...target, '--help']), /standard input, or behind `--`/);
    const words = ['--json', ...target, '--', '--file=private.txt'];
    assert.equal(JSON.parse(await home.out(words)).content, '--file=private.txt');
  }
});

test('a text or a file that begins like -V or -h is refused with advice, and never prints the version or the help', async () => {
  const { id } = await server.published(ada);
  const targets = [
    [['comment', id], /Put `--` before a text/],
    [['reply', id], /Put `--` before a text/],
    [['publish'], /Put `--` before the name of a file/],
    [['upload'], /Put `--` before the name of a file/],
  ] as const;
  for (const [target, advice] of targets)
    for (const word of ['-Very good.md', '-hello.md', '-V2.md']) {
      const { code, out, err } = await home.run([...target, word]);
      assert.deepEqual([code, out, advice.test(err)], [2, '', true], err);
      const asJson = await home.run(['--json', ...target, word]);
      assert.deepEqual([asJson.code, asJson.out], [2, '']);
      assert.match(JSON.parse(asJson.err).next, advice);
    }
  // The value of an option is not an option, whatever it begins with.
  await writeFile(join(home.folder, '-hello.md'), 'From a file.');
  const made = await home.json(['comment', id, '--file', '-hello.md']);
  assert.equal(made.content, 'From a file.');
  const answer = await home.out(['--json', 'reply', made.id, '--', '-Very good']);
  assert.equal(JSON.parse(answer).content, '-Very good');
  for (const word of ['-h', '-V']) assert.equal((await home.run(['comment', word])).code, 0);
});

test('words of a search that begin with a hyphen are excluded; options still work', async () => {
  const none = json(200, { items: [], next_cursor: null });
  await using service = await startScript(none);
  const url = ['--url', service.baseUrl];
  const asked = async (...words: readonly string[]) => {
    await home.out([...url, ...words]);
    const { searchParams } = new URL(service.seen.at(-1)?.url ?? '', service.baseUrl);
    return [searchParams.get('q'), searchParams.get('limit')];
  };
  assert.deepEqual(await asked('search', 'Two', '-draft'), ['Two -draft', '20']);
  assert.deepEqual(await asked('search', 'a', '-Vienna', '--limit', '5', 'OR', 'c', '--json'), [
    'a -Vienna OR c',
    '5',
  ]);
  assert.deepEqual(await asked('search', '-draft', '--', '--five'), ['-draft --five', '20']);
  assert.deepEqual(await asked('search', '--limit=7', '-5'), ['-5', '7']);
  const unknown = await home.run([...url, 'search', 'Two', '--limt', '5']);
  assert.deepEqual([unknown.code, /--limit\?\)\nNext: Put `--`/.test(unknown.err)], [2, true]);
});
