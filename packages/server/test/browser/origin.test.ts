// The signature of an article, verified in a browser: each step in words, and which one fails when something was altered.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import type { LogIdentity, LogProof } from '@colophon/contract';
import { verifyProof } from '@colophon/sdk';
import { aSigner, signedArticle } from '#test/signed-articles';
import { provenLog } from '#test/transparency-log';
import { parseNote, writeNote } from '@colophon/tlog';
import { makeNoteKey, signatureOf } from '../../../tlog/test/log-folder.ts';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People, Person } from './people.ts';

const options = { skip: noBrowser };

let people: People;
let visitor: Person;
let paths: readonly [string, string];
let revision: string;
/** Of an article that nobody signed. */
let unsigned: string;
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
  const { server } = people;
  const written = await server.published(await server.register(), { title: 'By a person' });
  unsigned = new URL(written.url).pathname;
  await provenLog(server, written.id, written.revision_id);
});
after(() => people?.[Symbol.asyncDispose]());

/** Opens the panel by keyboard and presses the button in it. */
async function verify(page: Page, path = paths[0]): Promise<readonly string[]> {
  await page.goto(path);
  await page.locator('#origin > summary').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Verify in this browser' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.steps').waitFor();
  return page.locator('.steps > li').evaluateAll((items) => items.map((item) => item.className));
}

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
    await verify(page),
    Array.from({ length: 7 }, () => 'passed'),
  );
  const [script = '', ...more] = scripts.filter((path) => path.includes('verify'));
  assert.deepEqual(more, []);
  const { length } = gzipSync(await (await page.request.get(script)).body());
  assert.ok(length <= 15 * 1024, `${length} bytes compressed`);
  const said = await page.locator('.verify .verdict').innerText();
  assert.match(said, /Every step passed\. The agent signed exactly this text\./);
  assert.match(said, /Checked twice/, 'by the library and by WebCrypto');
  assert.match(
    said,
    /Leaf \d+ of the \d+ in .+\/log, logged at .+Z\. No witness has signed that\./,
  );
  assert.deepEqual(visitor.complaints, []);
});

test('the evidence is kept as a file, which verifies without the service', options, async () => {
  const { page } = visitor;
  await verify(page);
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

/** The parts of answers that are altered. */
interface Altered {
  readonly content?: string;
  readonly signing_input?: string;
  readonly signature?: { readonly signature: string };
  readonly items?: readonly { readonly created_at: string }[];
  readonly log?: LogProof & LogIdentity;
}

type Alter = (record: Altered) => unknown;

const failsInLog = 'passed passed passed passed passed passed failed';

/** Another text of the same bytes' length in base64. */
const changed = (base64: string) => `${base64.startsWith('A') ? 'B' : 'A'}${base64.slice(1)}`;

/** Alters the log's part of an answer. */
function inLog(alter: (log: LogProof & LogIdentity) => Partial<LogProof & LogIdentity>): Alter {
  return ({ log, ...record }) => ({ ...record, log: log && { ...log, ...alter(log) } });
}

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
      inLog(({ inclusion: [first = '', ...rest] }) => ({ inclusion: [changed(first), ...rest] })),
      failsInLog,
    ],
    'a leaf of another publication': [
      '**/proof',
      inLog(({ salt }) => ({ salt: changed(salt) })),
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

/** Verifies while an answer is altered, and returns the states of the steps and what the panel says. */
async function verifyAltered(url: string, alter: Alter, path?: string) {
  const { page } = visitor;
  await page.route(url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: alter(await response.json()) });
  });
  try {
    const states = (await verify(page, path)).join(' ');
    return { states, said: await page.locator('.verify .verdict').innerText() };
  } finally {
    await page.unroute(url);
  }
}

for (const [name, [url, alter, states]] of Object.entries(alterations)) {
  test(`${name}: the page says which step fails`, options, async () => {
    const found = await verifyAltered(url, alter);
    assert.equal(found.states, states);
    assert.match(found.said, /This text is not proven: one step failed\./);
  });
}

test(
  'of a text that nobody signed, the text and its place in the log are verified',
  options,
  async () => {
    const { page } = visitor;
    assert.equal((await verify(page, unsigned)).join(' '), 'passed passed passed passed');
    const said = await page.locator('.verify .verdict').innerText();
    assert.match(
      said,
      /Every step passed\. Nobody signed this text\. The log has it: it cannot be replaced unseen\./,
    );
    assert.match(said, /Leaf \d+ of the \d+ in .+\/log, logged at .+Z\./);
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
    inLog(({ salt }) => ({ salt: changed(salt) })),
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
    const found = await verifyAltered(url, alter, unsigned);
    assert.equal(found.states, states);
    assert.match(found.said, /This text is not proven: one step failed\./);
  });

test('an unsigned text that the log does not show yet is not called proven', options, async () => {
  const { states, said } = await verifyAltered(
    '**/proof',
    (proof) => ({ ...proof, log: null }),
    unsigned,
  );
  assert.equal(states, 'passed passed passed open');
  assert.match(said, /^Nobody signed this text, and the log does not show it yet\./);
});

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
        return (await verify(page)).join(' ');
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
      await page.getByText('witness.example/w1 saw it by 2026-05-28T').waitFor();
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
    const { states, said } = await verifyAltered('**/proof', (proof) => ({ ...proof, log: null }));
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
    assert.equal((await verify(page)).join(' '), 'passed failed open open open open open');
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
