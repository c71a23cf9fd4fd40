// POST /v1/articles over HTTP: the text is returned byte for byte, or refused with a stated reason.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mintToken } from '@colophon/text/lib/token-text';
import { assertProblem, startServer } from '#test/harness';
import { assertFault } from '#test/problem-checks';
import { expectedHash } from '#test/signed-text';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const human = await server.register();

type Members = Readonly<Record<string, unknown>>;
const create = (members: Members) =>
  server.ask('POST', '/v1/articles', {
    token: human.token,
    key: true,
    body: { title: 'T', content: 'C', ...members },
  });
const read = async (id: string) =>
  (await server.ask('GET', `/v1/articles/${id}`, { token: human.token })).body;

const texts: readonly [string, string][] = [
  ['CRLF, CR, LF and tabs', 'a\r\nb\rc\nd\te\r\n'],
  ['white space at both ends', ' \n\u00a0text\u2003 \n\n'],
  ['emoji with joiners and flags', '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇨🇭'],
  ['combining marks, not composed', 'e\u0301 ≠ é, A\u030a ≠ Å, 각'],
  ['right to left and bidi marks', 'שלום \u202eabc\u202c العربية'],
  ['controls but NUL, and a byte order mark inside', 'a\u0001\u001b[31m\u007f\u0085b\ufeffc'],
  ['noncharacters and private use', '\ufffe\uffff\ue000\u{10ffff}'],
  ['HTML and script', '<script>alert("&amp;")</script>'],
  ['backslashes and quotes', String.raw`\\ \" \n \u0041 ${'`'}`],
  ['line separators', 'a\u2028b\u2029c'],
];
for (const [what, content] of texts) {
  test(`201 and back byte for byte: ${what}`, async () => {
    const title = `${content.trim().slice(0, 20)}!`;
    const metadata = { content, [content]: [content] };
    const made = await create({ title, content, metadata });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const shown = await read(made.body.id);
    assert.equal(shown.content, content);
    assert.equal(shown.title, title);
    assert.deepEqual(shown.metadata, metadata);
    assert.equal(shown.content_hash, expectedHash({ title, content, metadata }));
  });
}

test('201 whether characters come as escapes or as they are', async () => {
  const raw = String.raw`{"title":"\u0041\ud83e\udd89","content":"\u00e9\r\n\/"}`;
  const made = await server.ask('POST', '/v1/articles', { token: human.token, key: true, raw });
  assert.equal(made.status, 201);
  const shown = await read(made.body.id);
  assert.equal(shown.title, 'A🦉');
  assert.equal(shown.content, 'é\r\n/');
});

const largest = 1_048_576;
for (const [what, content] of [
  ['ASCII', 'x'.repeat(largest)],
  ['four-byte characters', '🦉'.repeat(largest / 4)],
  ['two-byte characters, in more bytes than the limit as escapes', 'é'.repeat(largest / 2)],
] as const) {
  test(`201 for 1,048,576 bytes of ${what}, 422 for one more`, async () => {
    const made = await create({ content });
    assert.equal(made.status, 201);
    assert.equal((await read(made.body.id)).content, content);
    assertFault(await create({ content: `${content}.` }), '/content', 'too-long');
  });
}

test('201 for 1 MB of two-byte characters written as escapes: the limit is on the text, not on the body', async () => {
  const raw = `{"title":"T","content":"${String.raw`\u00e9`.repeat(largest / 2)}"}`;
  assert.equal(
    (await server.ask('POST', '/v1/articles', { token: human.token, key: true, raw })).status,
    201,
  );
});

test('413 payload-too-large: over 8 MiB', async () => {
  const raw = `{"title":"T","content":"${'x'.repeat(8_388_608)}"}`;
  const refused = await server.ask('POST', '/v1/articles', { token: human.token, key: true, raw });
  assertProblem(refused, 'payload-too-large');
  assert.match(refused.body.detail, /8388608/);
});

test('201 for a title of 300 astral characters, 422 for 301 and for none', async () => {
  const made = await create({ title: '🦉'.repeat(300) });
  assert.equal(made.status, 201);
  assert.equal((await read(made.body.id)).title, '🦉'.repeat(300));
  assertFault(await create({ title: '🦉'.repeat(301) }), '/title', 'too-long');
  assertFault(await create({ title: '' }), '/title', 'too-short');
});

test('201 for 16 KiB of metadata as JSON, 422 for one byte more', async () => {
  const note = 'x'.repeat(16_384 - '{"note":""}'.length);
  const made = await create({ metadata: { note } });
  assert.equal(made.status, 201);
  assert.deepEqual((await read(made.body.id)).metadata, { note });
  assertFault(await create({ metadata: { note: `${note}x` } }), '/metadata', 'too-long');
  assertFault(await create({ metadata: { note: `${note.slice(2)}€` } }), '/metadata', 'too-long');
});

test('201 for metadata as free as JSON is', async () => {
  const metadata = {
    '': '',
    constructor: 1,
    toString: null,
    'a/b~c': true,
    numbers: [0, -0.5, 1e300, 9_007_199_254_740_991],
    deep: JSON.parse(`${'['.repeat(29)}${']'.repeat(29)}`),
  };
  const made = await create({ metadata });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual((await read(made.body.id)).metadata, metadata);
});

test('200 for a revision with the metadata as it was returned, whatever the numbers', async () => {
  const made = await server.ask('POST', '/v1/articles', {
    token: human.token,
    key: true,
    raw: '{"title":"T","content":"C","metadata":{"n":[1e21,1.5e300,9007199254740991e0,1e-7,-0,0.10]}}',
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { metadata } = await read(made.body.id);
  const again = await server.ask('POST', `/v1/articles/${made.body.id}/revisions`, {
    token: human.token,
    key: true,
    headers: { 'if-match': made.body.revision_id },
    body: { metadata },
  });
  assert.equal(again.status, 200, JSON.stringify(again.body));
  assert.equal(again.body.unchanged, true);
});

const notTaken: readonly [string, string, string, string][] = [
  ['a depth of 33', `{"a":${'['.repeat(31)}${']'.repeat(31)}}`, 'too-deep', '/metadata'],
  [
    'more than 5,000 names and values',
    `{"a":[${'1,'.repeat(5000)}1]}`,
    'too-many-members',
    '/metadata',
  ],
  ['an integer beyond 2^53-1', '{"n":9007199254740993}', 'number-range', '/metadata/n'],
  ['such an integer with an exponent', '{"n":1e16}', 'number-range', '/metadata/n'],
  ['a number that overflows', '{"n":1e999}', 'number-range', '/metadata/n'],
  ['__proto__', '{"a":{"__proto__":1}}', 'forbidden-name', '/metadata/a/__proto__'],
  ['a name twice', String.raw`{"a":1,"\u0061":2}`, 'duplicate-name', '/metadata/a'],
  ['NUL in a name', String.raw`{"a\u0000":1}`, 'nul', '/metadata'],
  ['half a surrogate pair', String.raw`{"a":"\ud800"}`, 'lone-surrogate', '/metadata/a'],
];
for (const [what, metadata, code, pointer] of notTaken) {
  test(`422 validation-failed: metadata with ${what}`, async () => {
    const raw = `{"title":"T","content":"C","metadata":${metadata}}`;
    const refused = await server.ask('POST', '/v1/articles', {
      token: human.token,
      key: true,
      raw,
    });
    assertProblem(refused, 'validation-failed');
    const [fault] = refused.body.errors;
    assert.equal(fault.code, code);
    assert.ok(fault.pointer.startsWith(pointer), fault.pointer);
  });
}

const { token: staged } = mintToken({ bucket: 1, deployment: 'staging' });
for (const [what, secret] of [
  ['this deployment', human.token],
  ['the staging deployment', staged],
] as const) {
  test(`422 validation-failed: a token of ${what} anywhere in the text`, async () => {
    const sentence = `My key is ${secret}.`;
    const places: readonly [Members, string][] = [
      [{ content: sentence }, '/content'],
      [{ content: `\`${secret}\`` }, '/content'],
      [{ title: secret }, '/title'],
      [{ metadata: { notes: [{ key: sentence }] } }, '/metadata/notes/0/key'],
      // The refusal of a token does not repeat it.
      [{ metadata: { [secret]: 1 } }, `/metadata/${secret.slice(0, 12)}...`],
      [{ canonical_url: `https://example.org/?key=${secret}` }, '/canonical_url'],
    ];
    for (const [members, pointer] of places) {
      const refused = await create(members);
      const fault = assertFault(refused, pointer, 'own-token');
      assert.match(fault.detail, /revoke/);
    }
    assert.equal((await create({ content: `It begins with ${secret.slice(0, 12)}…` })).status, 201);
  });
}

test('the refusal of a leaked token does not repeat it in its detail', async () => {
  const refused = await create({ content: human.token, metadata: { [human.token]: 1 } });
  assert.ok(!refused.body.detail.includes(human.token));
});
