// The signature of an article, verified in a browser: each step in words, and which one fails when something was altered.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { verifyProof } from '@colophon/sdk';
import { aSigner, signedArticle } from '#test/signed-articles';
import { provenLog } from '#test/transparency-log';
import { parseNote, writeNote } from '@colophon/tlog';
import { makeNoteKey, signatureOf } from '../../../tlog/test/log-folder.ts';
import { noBrowser } from './browser.ts';
import { servedBytes } from './page-bytes.ts';
import { openPeople } from './people.ts';
import type { People, Person } from './people.ts';
import { changeFirst, inLog, verify, verifyAltered } from './verifying.ts';
import type { Alter } from './verifying.ts';

const options = { skip: noBrowser };

let people: People;
let visitor: Person;
let paths: readonly [string, string];
let revision: string;
before(async () => {
  if (noBrowser !== false) return;
  people = await openPeople();
  visitor = await people.visit();
  const signer = await aSigner(people.server);
  const made = await signedArticle(people.server, signer, {
    title: 'Signed',
    content: 'A text – 😀.',
  });
  const other = await signedArticle(people.server, signer, { title: 'Another' });
  paths = [made, other].map(({ url }) => new URL(url).pathname) as [string, string];
  revision = made.revision_id;
  await provenLog(people.server, made.id, revision);
});
after(() => people?.[Symbol.asyncDispose]());

test('a signature is verified on one press, without the API of a token', options, async () => {
  const { page } = visitor;
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await page.goto(paths[0]);
  assert.equal(
    scripts.filter((path) => path.includes('verify')).length,
    0,
    'loaded when asked for',
  );
  assert.deepEqual(
    await verify(page, paths[0]),
    Array.from({ length: 7 }, () => 'passed'),
  );
  const [script = '', ...more] = scripts.filter((path) => path.includes('verify'));
  assert.deepEqual(more, []);
  const bytes = await servedBytes(people.server, script);
  assert.ok(bytes <= 14 * 1024, `${bytes} bytes as the service sends them`);
  const said = await page.locator('.verify .verdict').innerText();
  assert.match(said, /Every step passed\. The agent signed exactly this text\./);
  assert.match(said, /Checked twice/, 'by the library and by WebCrypto');
  assert.match(
    said,
    /Leaf \d+ of the \d+ in .+\/log, logged on .+ UTC\. No witness has signed that\./,
  );
  assert.deepEqual(visitor.complaints, []);
});

test('the evidence is kept as a file, which verifies without the service', options, async () => {
  const { page } = visitor;
  await verify(page, paths[0]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Keep the evidence as a file' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `colophon-${revision}.json`);
  const {
    proof,
    revision: text,
    trusted,
  } = JSON.parse(await readFile(await download.path(), 'utf8'));
  const verdict = await verifyProof(proof, { text, trusted });
  assert.equal(verdict.result, 'valid');
  assert.equal(verdict.log, 'included');
  await page.getByText(`colophon verify colophon-${revision}.json`).waitFor();
});

const failsInLog = 'passed passed passed passed passed passed failed';

const alterations: Readonly<Record<string, readonly [url: string, alter: Alter, states: string]>> =
  {
    'a proof without a member': [
      '**/proof',
      (proof) => ({ ...proof, content_hash: undefined }),
      'failed open open open open open open',
    ],
    'other signed lines': [
      '**/proof',
      (proof) => ({ ...proof, signing_input: `${proof.signing_input}0` }),
      'passed failed open open open open open',
    ],
    'another text': [
      `**/revisions/*`,
      (text) => ({ ...text, content: `${text.content}!` }),
      'passed passed failed open open open open',
    ],
    'a signature with one bit changed': [
      '**/proof',
      ({ signature, ...proof }) => {
        const bytes = signature?.signature ?? '';
        const altered = `${bytes.startsWith('A') ? 'B' : 'A'}${bytes.slice(1)}`;
        return { ...proof, signature: { ...signature, signature: altered } };
      },
      'passed passed passed failed open open open',
    ],
    'a key that the service does not list': [
      '**/keys?*',
      (page) => ({ ...page, items: [] }),
      'passed passed passed passed failed open open',
    ],
    'a key that was compromised before it signed': [
      '**/keys?*',
      (page) => ({
        ...page,
        items: page.items?.map((key) => ({
          ...key,
          status: 'revoked',
          revoked_at: '2100-01-01T00:00:00.000Z',
          compromised_at: key.created_at,
        })),
      }),
      'passed passed passed passed open failed open',
    ],
    'a changed hash of the path to the root': [
      '**/proof',
      inLog(({ inclusion: [first = '', ...rest] }) => ({
        inclusion: [changeFirst(first), ...rest],
      })),
      failsInLog,
    ],
    'a leaf of another publication': [
      '**/proof',
      inLog(({ salt }) => ({ salt: changeFirst(salt) })),
      failsInLog,
    ],
    'a checkpoint of another size': [
      '**/proof',
      inLog(({ checkpoint }) => ({ checkpoint: checkpoint.replace(/\n(\d+)\n/, '\n1$1\n') })),
      failsInLog,
    ],
    'a checkpoint that another key signed': [
      '**/v1/meta',
      inLog(({ origin }) => ({ verifier_key: makeNoteKey(origin, 1).text })),
      failsInLog,
    ],
  };

for (const [name, [url, alter, states]] of Object.entries(alterations)) {
  test(`${name}: the page says which step fails`, options, async () => {
    const found = await verifyAltered(visitor.page, paths[0], [url, alter]);
    assert.equal(found.states, states);
    assert.match(found.said, /This text is not proven: one step failed\./);
  });
}

test(
  'the cosignatures of witnesses are verified, and named with their times',
  options,
  async () => {
    const { page } = visitor;
    const witness = makeNoteKey('witness.example/w1', 4);
    /** Has the witness sign the text of the checkpoint, and opens the page. */
    async function cosign(alter: (text: string) => string): Promise<string> {
      await page.route('**/proof', async (route) => {
        const response = await route.fetch();
        const { log, ...proof } = await response.json();
        const { text, signatures } = parseNote(log.checkpoint) ?? assert.fail();
        const line = signatureOf(witness, alter(text), 1_780_000_000);
        const checkpoint = writeNote(text, [...signatures, line]);
        await route.fulfill({ response, json: { ...proof, log: { ...log, checkpoint } } });
      });
      try {
        return (await verify(page, paths[0])).join(' ');
      } finally {
        await page.unroute('**/proof');
      }
    }
    const silent = makeNoteKey('witness.example/w2', 4);
    await page.route('**/v1/meta', async (route) => {
      const response = await route.fetch();
      const { log, ...meta } = await response.json();
      const witnesses = [witness.text, silent.text];
      await route.fulfill({ response, json: { ...meta, log: { ...log, witnesses } } });
    });
    try {
      assert.doesNotMatch(await cosign((text) => text), /failed|open/);
      await page.getByText('witness.example/w1 saw it by 28 May 2026 ').waitFor();
      assert.equal(await cosign((text) => text.replace(/\n\d/, '\n9')), failsInLog);
      await page.getByText('The signature of witness.example/w1 does not verify.').waitFor();
    } finally {
      await page.unroute('**/v1/meta');
    }
  },
);

test(
  'what is not in the log yet is signed all the same, and the page says both',
  options,
  async () => {
    const { states, said } = await verifyAltered(visitor.page, paths[0], [
      '**/proof',
      (proof) => ({ ...proof, log: null }),
    ]);
    assert.match(states, /^(?:passed ){6}open$/);
    assert.match(said, /^The agent signed exactly this text\./);
    assert.match(said, /Not yet: it takes a few seconds\. Only public articles are in the log\./);
  },
);

test('the right proof of another article is not taken for this one', options, async () => {
  const { page } = visitor;
  const { server } = people;
  await page.goto(paths[1]);
  const other = await page.locator('.verify').getAttribute('data-article');
  const otherRevision = await page.locator('.verify').getAttribute('data-revision');
  await page.route('**/v1/articles/**', async (route) => {
    const isProof = route.request().url().endsWith('/proof');
    const at = `${server.baseUrl}/v1/articles/${other}/revisions/${otherRevision}`;
    await route.fulfill({ response: await route.fetch({ url: isProof ? `${at}/proof` : at }) });
  });
  try {
    assert.equal(
      (await verify(page, paths[0])).join(' '),
      'passed failed open open open open open',
    );
  } finally {
    await page.unroute('**/v1/articles/**');
  }
});

test('without an answer the panel says so, and can be tried again', options, async () => {
  const { page } = visitor;
  await page.goto(paths[0]);
  await page.locator('#origin > summary').click();
  await page.route('**/proof', (route) => route.abort(), { times: 1 });
  const button = page.getByRole('button', { name: 'Verify in this browser' });
  await button.click();
  await page.getByText('The service did not answer with the evidence. Try again.').waitFor();
  await button.click();
  await page.locator('.steps').waitFor();
});
