// The public history of an article: its revisions, the changes between them, their permanent addresses, citations.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { weights } from '@colophon/contract';
import { startServer } from '#test/harness';
import type { Response } from '#test/harness';
import { startLimitedServer } from '#test/limits-file';
import { fetchPage, linkOf, metaOf } from '#test/page';
import { anotherKey, aSigner, publish, revise, revoke, signatureOf } from '#test/signed-articles';
import type { Draft, Signer } from '#test/signed-articles';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let signer: Signer;
/** First, never published, and shown. */
let revisions: readonly [Draft, Draft, Draft];
let path: string;

async function publishSigned(draft: Draft, by: Signer = signer): Promise<Response['body']> {
  const body = {
    revision_id: draft.revision_id,
    ...signatureOf(by, draft.signing_input),
  };
  const { status, body: answer } = await publish(server, by, draft.id, { body });
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
}

before(async () => {
  signer = await aSigner(server);
  const first: Draft = await server.draft(signer, {
    title: 'On moss',
    content: 'Moss grows on stones.\n\nIt needs shade and water.\n',
  });
  await publishSigned(first);
  const second = await revise(server, signer, first, 'A secret step in between.\n');
  const third = await revise(
    server,
    signer,
    second,
    'Moss grows on stones.\n\nIt needs shade, clean water and time.\n',
  );
  const { url } = await publishSigned(third);
  revisions = [first, second, third];
  path = new URL(url).pathname;
});

test('the history lists what was published, with time, hash, signature and address', async () => {
  const page = await fetchPage(server, `${path}/revisions`);
  assert.equal(page.status, 200);
  assert.equal(metaOf(page, 'robots'), 'noindex');
  const [first, hidden, third] = revisions;
  const hrefs = page.all('a').map(({ attributes }) => attributes['href']);
  for (const { revision_id: id } of [first, third])
    assert.ok(hrefs.includes(`${path}/revisions/${id}`), id);
  assert.ok(!page.text.includes(hidden.revision_id), 'what was never published is not there');
  assert.equal(page.text.match(/<span class="state">Signed<\/span>/g)?.length, 2);
  assert.equal(page.text.match(/sha256:[0-9a-f]{64}/g)?.length, 2);
  assert.match(page.text, /Shown now/);
});

test('changes are shown by words, below each other and side by side', async () => {
  const [first, , third] = revisions;
  const pair = `from=${first.revision_id}&to=${third.revision_id}`;
  const inline = await fetchPage(server, `${path}/revisions?${pair}`);
  assert.match(inline.text, /<ins dir="ltr">It needs shade<mark>/);
  assert.deepEqual(
    inline.all('mark').map(({ text }) => text),
    ['and', ',', 'clean', ' and time'],
  );
  const sides = await fetchPage(server, `${path}/revisions?${pair}&view=sides`);
  assert.deepEqual(
    sides.all('th').map(({ text }) => text),
    ['Before', 'After'],
  );
  const rows = sides.all('tr').filter(({ text }) => text.includes('Removed: '));
  assert.equal(rows.length, 1);
  assert.match(
    rows[0]?.text ?? '',
    /Removed: It needs shade and water.\s+Added: It needs shade, clean/,
  );
  // The order of the two does not matter, and one alone is compared with the one before it.
  const other = `from=${third.revision_id}&to=${first.revision_id}`;
  for (const query of [other, `to=${third.revision_id}`])
    assert.equal((await fetchPage(server, `${path}/revisions?${query}`)).all('ins').length, 1);
});

test('404 the changes from or to a revision that was never published, and its address', async () => {
  const [first, hidden] = revisions;
  const queries = [
    `from=${first.revision_id}&to=${hidden.revision_id}`,
    `to=${hidden.revision_id}`,
  ];
  for (const query of queries)
    assert.equal((await fetchPage(server, `${path}/revisions?${query}`)).status, 404, query);
  for (const id of [hidden.revision_id, first.id, 'nonsense'])
    assert.equal((await fetchPage(server, `${path}/revisions/${id}`)).status, 404, id);
  assert.equal(
    (await fetchPage(server, `${path}/cite?revision=${hidden.revision_id}`)).status,
    404,
  );
});

test('400 odd parameters of the history', async () => {
  for (const query of ['to=nonsense', 'cursor=!', 'from=a&to=b'])
    assert.equal((await fetchPage(server, `${path}/revisions?${query}`)).status, 400, query);
});

test('a revision keeps its address, leads to the present one, and asks not to be indexed', async () => {
  const [first, , third] = revisions;
  const old = await fetchPage(server, `${path}/revisions/${first.revision_id}`);
  assert.equal(old.status, 200);
  assert.match(old.text, /It needs shade and water\./);
  assert.match(old.text, /This is an earlier revision\./);
  assert.equal(metaOf(old, 'robots'), 'noindex');
  assert.equal(old.headers.get('x-robots-tag'), 'noindex');
  assert.equal(linkOf(old, 'canonical'), server.baseUrl + path);
  const now = await fetchPage(server, `${path}/revisions/${third.revision_id}`);
  assert.match(now.text, /shows now/);
  const lower = `${path}/revisions/${first.revision_id.toLowerCase()}`;
  for (const other of [
    lower,
    `/@${signer.username}/other-${first.id}/revisions/${first.revision_id}`,
  ]) {
    const moved = await fetchPage(server, other);
    assert.equal(moved.status, 301, other);
    assert.equal(moved.headers.get('location'), `${path}/revisions/${first.revision_id}`);
  }
});

test('a citation names the revision and the machine, in four formats', async () => {
  const [first] = revisions;
  const page = await fetchPage(server, `${path}/cite?revision=${first.revision_id}`);
  assert.equal(page.all('pre').length, 4);
  const address = `${server.baseUrl}${path}/revisions/${first.revision_id}`;
  const types = {
    text: 'text/plain',
    bibtex: 'application/x-bibtex',
    csl: 'application/vnd.citationstyles.csl+json',
    ris: 'application/x-research-info-systems',
  };
  for (const [format, type] of Object.entries(types)) {
    const file = await fetchPage(
      server,
      `${path}/cite?revision=${first.revision_id}&format=${format}`,
    );
    assert.equal(file.headers.get('content-type'), `${type}; charset=utf-8`);
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.]+"$/);
    assert.ok(file.text.includes(address), format);
    assert.match(file.text, /AI agent/);
  }
  assert.equal((await fetchPage(server, `${path}/cite?format=word`)).status, 404);
});

test('the first publication of a backdated article is cited with its date, a later one with its own', async () => {
  const own = await server.register();
  const asked = { token: own.token, key: true } as const;
  const draft = await server.draft(own, { title: 'From long ago' });
  const body = { published_at: '2001-02-03T04:05:06.000Z' };
  const sent = await server.ask('POST', `/v1/articles/${draft.id}/publish`, { ...asked, body });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const place = new URL(sent.body.url).pathname;
  assert.match((await fetchPage(server, `${place}/cite?format=bibtex`)).text, /2001-02-03/);
  const revised = await server.ask('POST', `/v1/articles/${draft.id}/revisions`, {
    ...asked,
    body: { title: 'From long ago', content: 'New.', expected_revision_id: draft.revision_id },
  });
  await server.ask('POST', `/v1/articles/${draft.id}/publish`, { ...asked, body: {} });
  const year = String(new Date().getUTCFullYear());
  const cite = (id: string) => fetchPage(server, `${place}/cite?revision=${id}&format=bibtex`);
  assert.match((await cite(revised.body.revision_id)).text, new RegExp(`date = \\{${year}-`));
  assert.match((await cite(draft.revision_id)).text, /date = \{2001-02-03\}/);
});

const panelOf = async (place: string) => {
  const [panel] = (await fetchPage(server, place))
    .all('details')
    .filter(({ attributes }) => attributes['id'] === 'origin');
  return panel?.text.replaceAll(/\s+/g, ' ') ?? '';
};

test('the panel says how a key ended, and since when its signatures prove nothing', async () => {
  const own = await aSigner(server);
  const draft: Draft = await server.draft(own, { title: 'Under another key' });
  const { url } = await publishSigned(draft, own);
  const place = new URL(url).pathname;
  assert.match(
    await panelOf(place),
    /The agent signed exactly this text.*Registered.*Signed this text/,
  );
  const { body: proof } = await server.ask(
    'GET',
    `/v1/articles/${draft.id}/revisions/${draft.revision_id}/proof`,
  );
  const signedAt = Date.parse(proof.signature.signed_at);
  await revoke(server, own, own.keyId);
  assert.match(await panelOf(place), /revoked later.*what it signed before stays valid/);
  const cases = [
    {
      at: new Date(signedAt + 1).toISOString(),
      said: /received the signature before anybody else/,
    },
    { at: new Date(signedAt).toISOString(), said: /This signature proves nothing/ },
  ];
  for (const { at, said } of cases) {
    await revoke(server, own, own.keyId, at);
    const panel = await panelOf(place);
    assert.match(panel, said);
    assert.match(panel, /From here on somebody else may have had it/);
    assert.match(await panelOf(`${place}/revisions/${draft.revision_id}`), said);
  }
  const { text } = await fetchPage(server, `${place}/revisions`);
  assert.match(text, /Signed with a compromised key/);
  // Signing again with another key repairs it.
  const next = { ...own, ...(await anotherKey(server, own)) };
  await publishSigned(draft, next);
  assert.match(await panelOf(place), /The agent signed exactly this text\. This service verified/);
});

test('a person’s article says that people do not sign', async () => {
  const author = await server.register();
  const { url } = await server.published(author);
  const panel = await panelOf(new URL(url).pathname);
  assert.match(panel, /People do not sign their texts here/);
  assert.match(panel, /Not signed.*Verify in this browser/s);
});

test('a comparison of long texts counts for the address as many reads as at the API', async () => {
  const perMinute = 60;
  await using counted = await startLimitedServer({ rates: { reads_per_minute: perMinute } });
  const author = await counted.register();
  const long = (letter: string) => letter.repeat(weights.textPerRead * 20);
  const made = await counted.published(author, { content: long('x') });
  const { revision_id } = await revise(counted, author, made as Draft, long('y'));
  await publish(counted, author, made.id, { body: { revision_id } });
  const left = async (place: string) =>
    Number(/;r=(\d+);/.exec((await fetchPage(counted, place)).headers.get('ratelimit') ?? '')?.[1]);
  const before = await left('/topics');
  await left(`${new URL(made.url).pathname}/revisions?to=${revision_id}`);
  const after = await left('/topics');
  // Some come back meanwhile.
  assert.ok(before - after > 20, `${before} were left, then ${after}`);
});
