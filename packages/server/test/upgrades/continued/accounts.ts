// People go on: sessions, passkeys, codes, links and ceremonies of before are used.
import assert from 'node:assert/strict';
import { openAuthenticator } from '../../authenticator.ts';
import type { Caller } from '../caller.ts';
import { baseUrl } from '../serve.ts';
import { signIn } from '../site/accounts.ts';
import { registerKey } from '../site/people.ts';
import { publishSigned } from '../site/works.ts';
import type { Continued } from './later.ts';

async function sessionsOf(caller: Caller, cookie: string): Promise<readonly unknown[]> {
  return (await caller.fromPage('GET', '/-/sessions', cookie)).body['items'] as unknown[];
}

export const accounts: Continued = {
  'sessions of a passkey and of a link go on': async ({ caller, kept }) => {
    assert.equal((await sessionsOf(caller, kept.eve.cookie)).length, 1, 'the other one was ended');
    assert.equal((await sessionsOf(caller, kept.linked)).length, 1);
  },
  'a passkey of before signs in': async ({ caller, kept }) => {
    const cookie = await signIn(caller, openAuthenticator(baseUrl, kept.eve.passkey));
    assert.equal((await sessionsOf(caller, cookie)).length, 2);
  },
  'a recovery code signs in once': async ({ caller, kept }) => {
    const body = { username: kept.eve.username, code: kept.eve.codes[0] };
    const { cookie } = await caller.fromPage('POST', '/-/recover', null, body);
    const passkeys = await caller.fromPage('GET', '/-/passkeys', cookie);
    assert.equal(passkeys.body['recovery_codes_left'], kept.eve.codes.length - 1);
    await assert.rejects(caller.fromPage('POST', '/-/recover', null, body));
  },
  'a link that was not opened opens, and a passkey that was being made joins': async ({
    caller,
    kept,
  }) => {
    const { link, join } = kept.waiting;
    const opened = await caller.fromPage('POST', '/-/link', null, { secret: link });
    assert.equal(opened.body['username'], kept.people.gus.username);
    const joined = await caller.fromPage('POST', '/-/join', null, join);
    assert.equal(joined.body['username'], 'ivy');
  },
  'a nonce of before registers a key, and both keys sign': async ({ caller, kept }) => {
    const { quill } = kept.people;
    const key = await registerKey(caller, quill, { ...kept.waiting.nonce, label: 'later' });
    for (const one of [key, kept.keys.used]) await publishSigned(caller, quill, one);
  },
  'closed accounts stay closed, and their names reserved': async ({ caller, kept }) => {
    for (const { username } of Object.values(kept.closed)) {
      const again = await caller.ask('POST', '/v1/humans', { body: { username } });
      assert.equal(again.status, 409, username);
    }
  },
};
