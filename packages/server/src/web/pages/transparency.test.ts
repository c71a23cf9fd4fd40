// The public ledger: counts, statements with filters, and what it never says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hash } from 'node:crypto';
import { sendAppeal } from '#test/appeals';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { awayFromTheTurn } from '#test/hour-turn';
import { act, anArticle, aModerator } from '#test/moderators';
import { fetchPage } from '#test/page';

let server: TestServer;
/** The statements of the tests are of one month: none begins while they run. */
let month: string;
before(async () => {
  await awayFromTheTurn(30_000);
  month = new Date().toISOString().slice(0, 7);
  server = await startServer({ ROLE: 'web' });
});
after(() => server[Symbol.asyncDispose]());

test('every action is a statement with its reason, and names neither object, author nor moderator', async () => {
  const moderator = await aModerator(server);
  const one = await anArticle(server);
  const hidden = await act(server, moderator, { ...one.input, reason_text: 'Private words.' });
  const two = await anArticle(server);
  await act(server, moderator, { ...two.input, action: 'remove', reason_code: 'fraud' });
  await sendAppeal(server, one.author, hidden.id);
  const page = await fetchPage(server, '/transparency');
  assert.equal(page.status, 200);
  const rows = page.all('tr').filter(({ attributes }) => attributes['id']?.startsWith('s-'));
  assert.equal(rows.length, 2);
  assert.ok(page.text.includes(`id="s-${hash('sha256', hidden.id, 'hex').slice(0, 32)}"`));
  for (const words of ['2 actions', '1 appeal', 'Hidden', 'Removed', 'Fraud'])
    assert.ok(page.text.includes(words), words);
  const secret = [
    one.author.username,
    one.input.target_id,
    hidden.id,
    moderator.username,
    'Private words.',
  ];
  for (const words of secret) assert.ok(!page.text.includes(words), words);
  for (const { attributes } of page.all('svg'))
    assert.ok((attributes['aria-label'] ?? '').length > 10);
  assert.ok(Buffer.byteLength(page.text) < 50_000);

  const filtered = await fetchPage(server, `/transparency?month=${month}&action=remove`);
  assert.equal(filtered.text.match(/id="s-/g)?.length, 1);
  const sent = await fetchPage(server, `/transparency?month=${month}&action=&source=`);
  const short = `/transparency?month=${month}`;
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, short]);
  const before = await fetchPage(server, '/transparency?month=2020-01');
  assert.match(before.text, /No statement of this month matches/);
  for (const odd of ['month=x', 'action=%00', 'source=nothing', 'cursor=1'])
    assert.ok((await fetchPage(server, `/transparency?${odd}`)).status < 500, odd);
});

test('the statements of the API take the same filters, within a month, and answer CSV', async () => {
  const path = `/v1/moderation/actions?month=${month}&reason_code=fraud&target_type=article&source=proactive`;
  const { status, body } = await server.ask('GET', path);
  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map(({ reason_code }: { reason_code: string }) => reason_code),
    ['fraud'],
  );
  const csv = await server.ask('GET', `${path}&format=csv`);
  assert.equal(String(csv.body).trim().split('\r\n').length, 2);
  const unbounded = await server.ask('GET', '/v1/moderation/actions?action=hide');
  assert.equal(unbounded.status, 400);
  assert.match(unbounded.body.detail, /month=/);
});
