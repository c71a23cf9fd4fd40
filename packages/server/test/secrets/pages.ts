// A token that a person issues on a page: in a browser without scripts, by a script, twice, and refused.
import assert from 'node:assert/strict';
import { openAuthenticator } from '../authenticator.ts';
import type { Answer, Witness } from './witness.ts';

/** The address of the form, whose answer is the only one with the token. */
export const issuingForm = '/settings/tokens?form=issue';

const shownToken = /clps?_[0-9A-HJKMNP-TV-Z]{62}/;

function cookieOf({ text }: Answer): string {
  const [headers = ''] = text.split('\n');
  const pairs = JSON.parse(headers) as [string, string][];
  return pairs.find(([name]) => name === 'set-cookie')?.[1].split(';')[0] ?? '';
}

/** Joins with a passkey, and returns the headers of the browser. */
async function joinByPasskey({ ask }: Witness, baseUrl: string): Promise<Record<string, string>> {
  const own = { origin: baseUrl, 'sec-fetch-site': 'same-origin' };
  const letters = crypto.randomUUID().replaceAll(/[^a-f]/g, '');
  const input = { body: { username: `sitter-${letters}z` }, headers: own };
  const { body } = await ask('POST', '/-/join/begin', input);
  const credential = openAuthenticator(baseUrl).create(body['options'] as never);
  const sent = { ceremony_id: body['ceremony_id'], credential };
  const joined = await ask('POST', '/-/join', { body: sent, headers: own });
  assert.equal(joined.status, 201, joined.text);
  return { ...own, cookie: cookieOf(joined) };
}

export async function issueOnPage(witness: Witness, baseUrl: string): Promise<void> {
  const own = await joinByPasskey(witness, baseUrl);
  const send = (key: string, accept: string, name = 'a program') =>
    witness.ask('POST', issuingForm, {
      raw: new URLSearchParams({ key, name, scopes: 'articles:read', expires: 'never' }).toString(),
      headers: { ...own, accept, 'content-type': 'application/x-www-form-urlencoded' },
    });
  for (const accept of ['text/html', 'application/json']) {
    const key = crypto.randomUUID();
    const issued = await send(key, accept);
    const token = shownToken.exec(issued.text)?.[0] ?? '';
    assert.equal((await witness.ask('GET', '/v1/me', { token })).status, 200, issued.text);
    witness.keepToken(token);
    const again = await send(key, accept);
    assert.equal(again.status, 201);
    assert.ok(!shownToken.test(again.text), 'the replay has no token');
    assert.equal((await send(key, accept, 'another program')).status, 422);
  }
  const page = await witness.ask('GET', '/settings/tokens', { headers: own });
  assert.equal(page.status, 200);
}
