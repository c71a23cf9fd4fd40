// Every ceremony of the web application, as a person goes through them.
import assert from 'node:assert/strict';
import { openAuthenticator } from '../authenticator.ts';
import { sendShown } from '../desk.ts';
import { freshName } from '../harness.ts';
import type { Asked } from '../harness.ts';
import { openBrowser } from '../web-session.ts';
import type { TestBrowser } from '../web-session.ts';
import type { BusyWorld } from './world.ts';

async function askFor(browser: TestBrowser, method: string, path: string, asked: Asked = {}) {
  const { status, body } = await browser.ask(method, path, asked);
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Opens a link of a token of the busy person. */
async function openLink({ world }: BusyWorld): Promise<void> {
  const { server, human } = world;
  const browser = openBrowser(server);
  const made = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  const body = { secret: new URL(made.body.url).hash.slice(1) };
  await askFor(browser, 'POST', '/-/link/account', { body });
  await askFor(browser, 'POST', '/-/link', { body });
}

/** Somebody joins, changes passkeys, recovers, leaves and closes the account. */
async function comeAndGo({ world }: BusyWorld): Promise<void> {
  const { server } = world;
  const browser = openBrowser(server);
  const { username } = await browser.join(freshName());
  const second = openAuthenticator(server.baseUrl);
  assert.ok((await browser.addPasskey(second)).status < 300);
  const { items } = await askFor(browser, 'GET', '/-/passkeys');
  const [{ id }] = items;
  await askFor(browser, 'PATCH', `/-/passkeys/${id}`, { body: { name: 'Another name' } });
  await askFor(browser, 'DELETE', `/-/passkeys/${id}`);
  const { recovery_codes: codes } = await askFor(browser, 'POST', '/-/recovery-codes');
  const other = openBrowser(server);
  await askFor(other, 'POST', '/-/recover', { body: { username, code: codes[0] } });
  const last = openBrowser(server);
  assert.ok((await last.signIn(second)).status < 300);
  await askFor(last, 'POST', '/-/sign-out');
  assert.ok((await last.signIn(second)).status < 300);
  assert.ok((await last.check(second)).status < 300);
  const closed = await sendShown({ browser: last }, '/settings/close', 'close', {
    confirm: 'close',
    articles: 'pseudonymise',
  });
  assert.equal(closed.status, 303, closed.text);
}

async function signIn({ browser, joined }: BusyWorld['people']): Promise<void> {
  assert.ok((await browser.signIn(joined.passkey)).status < 300);
  assert.ok((await browser.check(joined.passkey)).status < 300);
}

/** Sends them all. The busy person is signed in afterwards. */
export async function sendCeremonies(busy: BusyWorld): Promise<void> {
  const { people } = busy;
  const { browser } = people;
  await openLink(busy);
  await comeAndGo(busy);
  await signIn(people);
  const { items } = await askFor(browser, 'GET', '/-/sessions');
  const other = items.find((session: { current: boolean }) => !session.current);
  await askFor(browser, 'DELETE', `/-/sessions/${other.id}`);
  const agents = await askFor(browser, 'GET', '/-/v1/agents');
  await askFor(browser, 'DELETE', `/-/agents/${agents.items[0].id}/tokens`);
  const events = await askFor(browser, 'GET', '/-/v1/events');
  await askFor(browser, 'POST', '/-/notifications', { body: { event_id: events.items[0].id } });
  await askFor(browser, 'DELETE', '/-/sessions');
  await signIn(people);
}
