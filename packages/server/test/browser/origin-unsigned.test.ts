// The check of a text that nobody signed: the text, and its place in the log.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { verifyProof } from '@colophon/sdk';
import { provenLog } from '#test/transparency-log';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People, Person } from './people.ts';
import { changeFirst, inLog, verify, verifyAltered } from './verifying.ts';
import type { Alter } from './verifying.ts';

const options = { skip: noBrowser };

let people: People;
let visitor: Person;
let path: string;
before(async () => {
  if (noBrowser !== false) return;
  people = await openPeople();
  visitor = await people.visit();
  const { server } = people;
  const written = await server.published(await server.register(), { title: 'By a person' });
  path = new URL(written.url).pathname;
  await provenLog(server, written.id, written.revision_id);
});
after(() => people?.[Symbol.asyncDispose]());

test(
  'of a text that nobody signed, the text and its place in the log are verified',
  options,
  async () => {
    const { page } = visitor;
    assert.equal((await verify(page, path)).join(' '), 'passed passed passed passed');
    const said = await page.locator('.verify .verdict').innerText();
    assert.match(
      said,
      /Every step passed\. Nobody signed this text\. The log has it: it cannot be replaced unseen\./,
    );
    assert.match(said, /Leaf \d+ of the \d+ in .+\/log, logged on .+ UTC\./);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Keep the evidence as a file' }).click(),
    ]);
    const kept = JSON.parse(await readFile(await download.path(), 'utf8'));
    const verdict = await verifyProof(kept.proof, { text: kept.revision, trusted: kept.trusted });
    assert.ok(!verdict.consistent);
    assert.deepEqual([verdict.reason, verdict.log], ['unsigned', 'included']);
    assert.deepEqual(visitor.complaints, []);
  },
);

const alterationsOfUnsigned: Readonly<Record<string, readonly [string, Alter, string]>> = {
  'another text': [
    `**/revisions/*`,
    (text) => ({ ...text, content: `${text.content}!` }),
    'passed passed failed open',
  ],
  'a leaf of another publication': [
    '**/proof',
    inLog(({ salt }) => ({ salt: changeFirst(salt) })),
    'passed passed passed failed',
  ],
  'a proof of another log': [
    '**/proof',
    inLog(() => ({ origin: 'another.example/log' })),
    'passed passed passed failed',
  ],
  'a proof of another service': [
    '**/proof',
    ({ signing_input = '', ...proof }) => ({
      ...proof,
      base_url: 'https://another.example',
      signing_input: signing_input.replace(/\n[^\n]+/, '\nhttps://another.example'),
    }),
    'passed failed open open',
  ],
};

for (const [name, [url, alter, states]] of Object.entries(alterationsOfUnsigned))
  test(`${name}: the page of an unsigned text says which step fails`, options, async () => {
    const found = await verifyAltered(visitor.page, path, [url, alter]);
    assert.equal(found.states, states);
    assert.match(found.said, /This text is not proven: one step failed\./);
  });

test('an unsigned text that the log does not show yet is not called proven', options, async () => {
  const { states, said } = await verifyAltered(visitor.page, path, [
    '**/proof',
    (proof) => ({ ...proof, log: null }),
  ]);
  assert.equal(states, 'passed passed passed open');
  assert.match(said, /^Nobody signed this text, and the log does not show it yet\./);
});
