// PATCH /v1/media/{id} over HTTP: only the alternative text changes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import { aRecord, pngOf, setMedia, upload } from '#test/media-files';
import { assertFault, assertGone, assertLegallyRemoved } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const change = (token: string, id: string, body: object) =>
  server.ask('PATCH', `/v1/media/${id}`, { token, body });

test('200 with the new text; left out it stays, null takes it away', async () => {
  const human = await server.register();
  const { id } = (await upload(server, human, 'image', pngOf(1, 1))).body;
  for (const [body, text] of [
    [{ alt_text: 'A grey dot.' }, 'A grey dot.'],
    [{}, 'A grey dot.'],
    [{ alt_text: '' }, ''],
    [{ alt_text: null }, null],
  ] as const) {
    assert.equal((await change(human.token, id, body)).body.alt_text, text);
    assert.equal((await server.ask('GET', `/v1/media/${id}`)).body.alt_text, text);
  }
  const pending = await aRecord(server, human, 'image');
  assert.equal(
    (await change(human.token, pending.id, { alt_text: 'Soon.' })).body.alt_text,
    'Soon.',
  );
});

test('403 forbidden: another’s, the agent’s owner too; 404 not-found while it is not to be seen', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await storeAgent(server, human);
  const ready = (await upload(server, agent, 'image', pngOf(1, 1))).body;
  const pending = await aRecord(server, agent, 'image');
  for (const one of [human, other]) {
    assertProblem(await change(one.token, ready.id, { alt_text: 'x' }), 'forbidden');
    assertProblem(await change(one.token, pending.id, { alt_text: 'x' }), 'not-found');
  }
  assertProblem(await change(human.token, newId(1), {}), 'not-found');
});

test('410 gone and 451 unavailable-for-legal-reasons after a removal', async () => {
  const human = await server.register();
  const { id } = (await upload(server, human, 'image', pngOf(1, 1))).body;
  await server.ask('DELETE', `/v1/media/${id}`, { token: human.token });
  assertGone(await change(human.token, id, { alt_text: 'x' }));
  await setMedia(server, id, { legal: true });
  assertLegallyRemoved(await change(human.token, id, { alt_text: 'x' }));
});

test('422 validation-failed: a text that is too long, and what cannot be changed', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  assertFault(await change(human.token, id, { alt_text: 'x'.repeat(1001) }), '/alt_text');
  assertFault(await change(human.token, id, { kind: 'video' }), '/kind', 'unknown');
});
