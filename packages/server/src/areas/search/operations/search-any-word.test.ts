// GET /v1/search over HTTP: every word of a text matches alone, whatever separates the words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { derive, hits, idsOf } from '#test/search';
import { effort } from '#test/effort';
import { seed } from '#test/seed';

const anyCharacter = fc.oneof(
  { arbitrary: fc.integer({ min: 0x21, max: 0x7e }), weight: 3 },
  fc.integer({ min: 0xa0, max: 0x24ff }),
  fc.integer({ min: 0x2500, max: 0xd7ff }),
  fc.integer({ min: 0xf900, max: 0xfffd }),
  fc.integer({ min: 0x1_00_00, max: 0x1_ff_ff }),
);
const characters = (wanted: RegExp) =>
  anyCharacter.map((point) => String.fromCodePoint(point)).filter((one) => wanted.test(one));

const letter = characters(/[[\p{L}\p{N}]--[\p{Default_Ignorable_Code_Point}\u02bb\u02bc]]/v);
const inWord = characters(/[[\p{L}\p{M}\p{N}]--[\p{Default_Ignorable_Code_Point}\u02bb\u02bc]]/v);
const between = characters(
  /[^\p{L}\p{M}\p{N}\p{Cn}\p{Co}[\p{Default_Ignorable_Code_Point}--\u200b]]/v,
);

const word = fc
  .tuple(letter, fc.array(inWord, { maxLength: 7 }))
  .map(([first, rest]) => `${first}${rest.join('')}`);
const separator = fc
  .array(between, { minLength: 1, maxLength: 3 })
  // Between two digits it is a decimal point.
  .map((signs) => (signs.join('') === '.' ? '. ' : signs.join('')));

interface World {
  readonly server: TestServer;
  readonly ann: Human;
}

/** Words and separators that fit into every kind of text. */
const wordsInText = 80;

async function assertAllFound({ server, ann }: World, textSeed: number): Promise<void> {
  const options = { numRuns: wordsInText, seed: textSeed };
  const pairs = fc.sample(fc.tuple(word, separator), options);
  const content = pairs.flat().join('');
  const { id: article } = await server.published(ann, { content, language: 'und' });
  const { id: said } = await comment(server, ann, article, { content });
  const asked = { token: ann.token, key: true, body: { bio: content } } as const;
  const changed = await server.ask('PATCH', `/v1/principals/${ann.id}`, asked);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  await derive(server, 'article.changed', 'comment.changed', 'principal.changed');
  const ids = Object.entries({ article, comment: said, principal: ann.id });
  for (const [q] of pairs) {
    for (const [type, id] of ids)
      assert.ok(idsOf(await hits(server, { q, type })).includes(id), `${type} ${q} of ${content}`);
  }
}

test(`200 any word is found in an article, a comment and a bio; seed ${seed}`, async () => {
  await using server = await startServer({ ROLE: 'web' });
  const ann = await server.register();
  for (let text = 0; text < effort(1, 20); text += 1)
    await assertAllFound({ server, ann }, seed + text);
});
