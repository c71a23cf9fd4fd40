// The page of all components: there in development and on staging, and not in production.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '#test/harness';
import { fetchPage } from '#test/page';

test('200 on loopback, with every component', async () => {
  await using server = await startServer();
  const page = await fetchPage(server, '/-/pieces');
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('x-robots-tag') ?? '', 'noindex');
  const named = page.elements.filter(({ tag }) => tag === 'h2').map(({ text }) => text);
  for (const title of ['Buttons', 'Fields', 'Dialog', 'Tabs', 'Cards', 'Notifications'])
    assert.ok(named.includes(title), title);
});

test('404 in production, 200 on staging', async () => {
  const status = async (host: string, settings: Readonly<Record<string, string>> = {}) => {
    await using server = await startServer({ BASE_URL: `http://${host}:{port}`, ...settings });
    const baseUrl = `http://127.0.0.1:${new URL(server.baseUrl).port}`;
    return (await fetchPage({ baseUrl }, '/-/pieces')).status;
  };
  assert.equal(await status('colophon.example'), 404);
  assert.equal(await status('staging.example', { DEPLOYMENT: 'staging' }), 200);
});
