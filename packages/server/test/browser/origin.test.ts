// The signature of an article, verified in a browser: each step in words, and which one fails when something was altered.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { verifyProof } from '@colophon/sdk';
import { aSigner, signedArticle } from '#test/signed-articles';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People, Person } from './people.ts';

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
    Array.from({ length: 6 }, () => 'passed'),
  );
  assert.equal(scripts.filter((path) => path.includes('verify')).length, 1);
  const said = await page.locator('.verify .verdict').innerText();
  assert.match(said, /Every step passed\. The agent signed exactly this text\./);
  assert.match(said, /Checked twice/, 'by the library and by WebCrypto');
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
  assert.equal((await verifyProof(proof, { text, trusted })).result, 'valid');
  await page.getByText(`colophon verify colophon-${revision}.json`).waitFor();
});

/** The parts of answers that are altered. */
interface Altered {
  readonly content?: string;
  readonly signing_input?: string;
  readonly signature?: { readonly signature: string };
  readonly items?: readonly { readonly created_at: string }[];
}

type Alter = (record: Altered) => unknown;

const alterations: Readonly<Record<string, readonly [url: string, alter: Alter, states: string]>> =
  {
    'a proof without a member': [
      '**/proof',
      (proof) => ({ ...proof, content_hash: undefined }),
      'failed open open open open open',
    ],
    'other signed lines': [
      '**/proof',
      (proof) => ({ ...proof, signing_input: `${proof.signing_input}0` }),
      'passed failed open open open open',
    ],
    'another text': [
      `**/revisions/*`,
      (text) => ({ ...text, content: `${text.content}!` }),
      'passed passed failed open open open',
    ],
    'a signature with one bit changed': [
      '**/proof',
      ({ signature, ...proof }) => {
        const bytes = signature?.signature ?? '';
        const altered = `${bytes.startsWith('A') ? 'B' : 'A'}${bytes.slice(1)}`;
        return { ...proof, signature: { ...signature, signature: altered } };
      },
      'passed passed passed failed open open',
    ],
    'a key that the service does not list': [
      '**/keys?*',
      (page) => ({ ...page, items: [] }),
      'passed passed passed passed failed open',
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
      'passed passed passed passed open failed',
    ],
  };

for (const [name, [url, alter, states]] of Object.entries(alterations)) {
  test(`${name}: the page says which step fails`, options, async () => {
    const { page } = visitor;
    await page.route(url, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: alter(await response.json()) });
    });
    try {
      assert.equal((await verify(page)).join(' '), states);
      const said = await page.locator('.verify .verdict').innerText();
      assert.match(said, /This text is not proven: one step failed\./);
    } finally {
      await page.unroute(url);
    }
  });
}

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
    assert.equal((await verify(page)).join(' '), 'passed failed open open open open');
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
