// POST /-/notifications: marks events as read; twice, at once, with an id of somebody else's event.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { appendEvents } from '#test/event-rows';
import { assertProblem, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
let browser: TestBrowser;
let id: string;
before(async () => {
  server = await startServer();
  browser = openBrowser(server);
  await browser.join();
  id = (await browser.ask('GET', '/-/v1/me')).body.principal.id;
});
after(() => server[Symbol.asyncDispose]());

const mark = (event_id: string) => browser.ask('POST', '/-/notifications', { body: { event_id } });

async function unread(): Promise<number> {
  const { text } = await browser.page('/topics');
  return Number(/data-unread="(\d+)"/.exec(text)?.[1]);
}

test('204: up to the event, whatever arrives meanwhile', async () => {
  for (let count = 0; count < 4; count += 1) await appendEvents(server.db, [id]);
  const { items } = (await browser.ask('GET', '/-/v1/events')).body;
  const adding = appendEvents(server.db, [id]);
  const marks = await Promise.all(
    [items[1], items[2], items[1]].map((event: { readonly id: string }) => mark(event.id)),
  );
  await adding;
  assert.deepEqual(
    marks.map(({ status }) => status),
    [204, 204, 204],
  );
  assert.equal(await unread(), 2);
});

test('204: an id that is not one of the caller’s events changes nothing', async () => {
  const before = await unread();
  assert.equal((await mark(id)).status, 204);
  assert.equal(await unread(), before);
});

test('422 validation-failed: no id', async () => {
  assertProblem(await mark('newest'), 'validation-failed');
});

test('401 unauthenticated: without a session', async () => {
  const event_id = '0'.repeat(26);
  const answer = await openBrowser(server).ask('POST', '/-/notifications', { body: { event_id } });
  assertProblem(answer, 'unauthenticated');
});
