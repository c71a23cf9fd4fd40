// Moderators of a test with a browser: a session, and a token whose scopes open the desk.
import { sql } from '#database';
import type { Scope } from '@colophon/contract';
import { keyOf } from '#lib/id';
import { storeToken } from './accounts.ts';
import { encodePairs, filledIn, formsIn } from './forms/shown-forms.ts';
import type { Human, TestServer } from './harness.ts';
import { openBrowser } from './web-session.ts';
import type { Joined, SentForm, TestBrowser } from './web-session.ts';

export interface DeskPerson {
  readonly browser: TestBrowser;
  readonly joined: Joined;
  readonly human: Human;
}

/** A person with a session and a token of these scopes; without scopes, somebody who reads. */
export async function deskPerson(
  server: TestServer,
  scopes: readonly Scope[] = ['admin:moderate'],
): Promise<DeskPerson> {
  const browser = openBrowser(server);
  const joined = await browser.join();
  const { id, username } = (await browser.ask('GET', '/-/v1/me')).body.principal;
  const ordinary: readonly Scope[] = ['articles:read', 'articles:write', 'articles:publish'];
  const more: readonly Scope[] = ['comments:write', 'events:read', 'articles:delete'];
  const token = await storeToken(server, id, [...ordinary, ...more, ...scopes]);
  return { browser, joined, human: { id, username, token } };
}

/** Lets time pass since the sessions of a person were confirmed with a passkey. */
export async function ageCheck(server: TestServer, { id }: Human, minutes: number): Promise<void> {
  const { bucket } = keyOf(id);
  const newest = await server.db.first(sql<{ checked_at: string }>`
    select max(checked_at) as checked_at
    from sessions
    where bucket = ${bucket} and principal_id = ${id}`);
  const checkedAt = new Date(Date.parse(newest?.checked_at ?? '') - minutes * 60_000).toISOString();
  await server.db.transaction((tx) =>
    tx.run(sql`
      update sessions
      set checked_at = ${checkedAt}
      where bucket = ${bucket} and principal_id = ${id} and checked_at is not null`),
  );
}

/** Sends a form of a page as it is shown, with other values in some fields. Fails if the page does not show it. */
export async function sendShown(
  { browser }: Pick<DeskPerson, 'browser'>,
  path: string,
  name: string,
  values: Readonly<Record<string, string>> = {},
): Promise<SentForm> {
  const page = await browser.page(path);
  const form = formsIn(page.text).find(({ action }) => action.includes(`form=${name}`));
  if (form === undefined) throw new Error(`${path} (${page.status}) shows no form ${name}.`);
  const fields = new URLSearchParams(
    encodePairs(filledIn(form).filter(([field]) => !(field in values))),
  );
  for (const [field, value] of Object.entries(values)) if (value !== '') fields.set(field, value);
  return browser.sendForm(form.action, fields.toString());
}

/** Whether a page shows a form. */
export function hasForm(text: string, name: string): boolean {
  return formsIn(text).some(({ action }) => action.includes(`form=${name}`));
}
