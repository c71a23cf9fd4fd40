// Share images while articles change: with concurrent or late runs, only up-to-date images are stored.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keyOf } from '#lib/id';
import { startServer } from '#test/harness';
import { keptImage } from '#test/og-images';
import { quiet, until } from '#test/throw-away-database';
import { makeOgImage } from './draw-image.ts';
import type { ImageStore } from './draw-image.ts';

/** Without a pipeline: freed bytes stay, because no message is delivered. */
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

function make(id: string, store: ImageStore = server.services.store): Promise<void> {
  const { db, drawing, config } = server.services;
  const services = { db, drawing, config, store, log: quiet, now: () => new Date() };
  return makeOgImage(keyOf(id), services);
}

/** A store that has stored the bytes and does not report it before `go`. */
function heldBack() {
  const { store } = server.services;
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const put: ImageStore['put'] = async (incoming) => {
    const kept = await store.put(incoming);
    reached.resolve();
    await go.promise;
    return kept;
  };
  return { store: { ...store, put }, reached: reached.promise, go: () => go.resolve() };
}

function rename(human: { id: string; token: string }, name: string) {
  return server.ask('PATCH', `/v1/principals/${human.id}`, {
    token: human.token,
    body: { display_name: name },
  });
}

test('eight at once keep one image', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await Promise.all(Array.from({ length: 8 }, () => make(id)));
  const kept = await keptImage(server, id);
  assert.ok(kept && (await server.services.store.exists(kept.name)));
  await make(id);
  assert.deepEqual(await keptImage(server, id), kept);
});

test('an image that was drawn before a change and kept after it does not replace the newer one', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const late = heldBack();
  const older = make(id, late.store);
  await late.reached;
  await rename(human, 'Renamed Meanwhile');
  await make(id);
  const newer = await keptImage(server, id);
  assert.ok(newer);
  late.go();
  await older;
  assert.deepEqual(await keptImage(server, id), newer);
});

test('an article that was removed while its image was drawn has none', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const late = heldBack();
  const drawn = make(id, late.store);
  await late.reached;
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  late.go();
  await drawn;
  assert.equal(await keptImage(server, id), undefined);
});

test('an image that is true again stays the one that was kept', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await rename(human, 'One');
  await make(id);
  const first = await keptImage(server, id);
  await rename(human, 'Two');
  await rename(human, 'One');
  await make(id);
  assert.deepEqual(await keptImage(server, id), first);
});

test('an article that does not exist leaves nothing behind', async () => {
  const human = await server.register();
  await make(human.id);
  assert.equal(await keptImage(server, human.id), undefined);
});

test('the pipeline goes on when the process that draws is killed', async () => {
  await using flowing = await startServer({}, {}, { drawsAhead: true });
  const human = await flowing.register();
  const { id: first } = await flowing.published(human, { title: '漢字 '.repeat(100) });
  await until('it draws', () => flowing.services.drawing.running() !== undefined);
  process.kill(flowing.services.drawing.running() ?? 0, 'SIGKILL');
  const { id: second } = await flowing.published(human, { title: 'The next one' });
  for (const id of [second, first])
    await until('it is made', async () => (await keptImage(flowing, id)) !== undefined);
});
