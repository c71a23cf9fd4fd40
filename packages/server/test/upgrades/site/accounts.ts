// Accounts of a recorded site with passkeys, sessions and links, and accounts that were closed.
import { openAuthenticator } from '../../authenticator.ts';
import type { Authenticator, Options } from '../../authenticator.ts';
import type { Caller } from '../caller.ts';
import { baseUrl } from '../serve.ts';
import { addAgent, register } from './people.ts';
import type { People } from './people.ts';
import { article, comment, draft } from './works.ts';
import type { Works } from './works.ts';

/** A ceremony that was begun. */
export interface Begun {
  readonly ceremony_id: string;
  readonly options: Options;
}

export async function begin(
  caller: Caller,
  path: string,
  cookie: string | null,
  body?: unknown,
): Promise<Begun> {
  return (await caller.fromPage('POST', `${path}/begin`, cookie, body)).body as unknown as Begun;
}

/** Signs in with the passkey, and answers the cookie of the session. */
export async function signIn(caller: Caller, passkey: Authenticator): Promise<string> {
  const { ceremony_id, options } = await begin(caller, '/-/sign-in', null);
  const body = { ceremony_id, credential: passkey.get(options) };
  return (await caller.fromPage('POST', '/-/sign-in', null, body)).cookie ?? '';
}

/** Answers the secret of a one-time link, which is not used yet. */
export async function linkOf(caller: Caller, token: string): Promise<string> {
  const { url } = await caller.post('/v1/web-links', token);
  return String(url).split('#')[1] ?? '';
}

/** Somebody with a passkey who is signed in, signed out elsewhere, and has used one recovery code. */
export async function joinWithPasskey(caller: Caller, username: string) {
  const passkey = openAuthenticator(baseUrl);
  const begun = await begin(caller, '/-/join', null, { username, display_name: 'Eve' });
  const joined = await caller.fromPage('POST', '/-/join', null, {
    ceremony_id: begun.ceremony_id,
    credential: passkey.create(begun.options),
  });
  const [used, ...codes] = joined.body['recovery_codes'] as readonly string[];
  const cookie = joined.cookie ?? '';
  const recovered = { username, code: used };
  const elsewhere = (await caller.fromPage('POST', '/-/recover', null, recovered)).cookie;
  await caller.fromPage('POST', '/-/sign-out', elsewhere);
  const check = await begin(caller, '/-/check', cookie);
  await caller.fromPage('POST', '/-/check', cookie, {
    ceremony_id: check.ceremony_id,
    credential: passkey.get(check.options),
  });
  return { username, codes, cookie, passkey };
}

/** A session that a one-time link of a token opened. */
export async function openLink(caller: Caller, { ben }: People): Promise<string> {
  const secret = await linkOf(caller, ben.token);
  return (await caller.fromPage('POST', '/-/link', null, { secret })).cookie ?? '';
}

/** One account closed with each treatment, with works and an agent. */
export async function closeAccounts(caller: Caller, { main }: Works) {
  const closed: Record<string, { id: string; username: string; article: string; comment: string }> =
    {};
  for (const articles of ['pseudonymise', 'unpublish', 'erase'] as const) {
    const username = `leaver-${articles}`;
    const who = await register(caller, username);
    await addAgent(caller, who, `helper-${articles}`);
    const work = await article(caller, who, { title: `Of an account closed with ${articles}` });
    await draft(caller, who);
    const said = await comment(caller, who, main.id, { content: 'Soon gone.' });
    await caller.done('POST', `/v1/principals/${who.id}/close`, {
      token: who.token,
      body: { confirm: 'close', articles, reason: 'Enough.' },
      headers: { 'idempotency-key': crypto.randomUUID() },
    });
    closed[articles] = { id: who.id, username, article: work.id, comment: said };
  }
  return closed;
}
