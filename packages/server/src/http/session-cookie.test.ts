// Tests of the cookie of sessions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionCookies } from './session-cookie.ts';

const expiresAt = new Date(0);

test('over https the cookie is bound to the host and to https', () => {
  const cookies = sessionCookies({ baseUrl: 'https://colophon.example.org' });
  const written = cookies.write({ secret: 's', expiresAt });
  assert.match(written, /^__Host-session=s; /);
  assert.match(written, /; Secure/);
  assert.doesNotMatch(written, /Domain/);
  assert.match(cookies.write('ended'), /^__Host-session=; Max-Age=0; /);
});

test('it is read among others, and only under its own name', () => {
  const cookies = sessionCookies({ baseUrl: 'http://localhost:3000' });
  assert.equal(cookies.read({ cookie: 'a=1; colophon_session=s ; b=2' }), 's');
  for (const cookie of ['', 'a=colophon_session=s', 'xcolophon_session=s', '__Host-session=s'])
    assert.equal(cookies.read({ cookie }), undefined, cookie);
  assert.equal(cookies.read({}), undefined);
  assert.equal(cookies.read({ cookie: `${'a'.repeat(9_000)}; colophon_session=s` }), undefined);
});

test('a write needs the origin of the site, and Sec-Fetch-Site must not deny it', () => {
  const { requireOwnPage } = sessionCookies({ baseUrl: 'https://colophon.example.org/' });
  const origin = 'https://colophon.example.org';
  requireOwnPage({ origin, 'sec-fetch-site': 'same-origin' });
  requireOwnPage({ origin });
  for (const headers of [
    {},
    { origin: 'null' },
    { origin: 'https://colophon.example.org.elsewhere.example' },
    { origin: 'http://colophon.example.org' },
    { origin, 'sec-fetch-site': 'same-site' },
    { origin, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin' },
  ])
    assert.throws(() => requireOwnPage(headers), /Open the page again/, JSON.stringify(headers));
});
