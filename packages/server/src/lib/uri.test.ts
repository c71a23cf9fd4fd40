// Tests of which addresses are accepted as canonical URLs.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { canonicalLink, isHttpUri } from './uri.ts';
import { effort } from '#test/effort';

test('absolute http and https URIs', () => {
  const right = [
    'https://example.org',
    'http://example.org/',
    'HTTPS://EXAMPLE.ORG/Path',
    'https://example.org:8443/a/b.html?c=d&e=f#g/h?i',
    'https://example.org/%E6%97%A5?q=%20',
    'https://xn--bcher-kva.example/',
    'http://localhost:8080/x',
    'http://127.0.0.1/',
    'http://[2001:db8::1]:80/a',
    "https://example.org/a;b=c/(d)!*'$,~_-.:@+",
    'https://example.org?a',
    'https://example.org#b',
    'https://my_host.example/',
    'https://example.org/a?b?c',
    `https://example.org/${'a'.repeat(2028)}`,
  ];
  for (const text of right) assert.equal(isHttpUri(text), true, text);
});

test('anything else is refused', () => {
  const wrong = [
    'https://.',
    'https://.example/',
    'https://x..example/',
    'https://example..',
    '',
    'example.org',
    '//example.org/',
    '/path',
    'https:',
    'https://',
    'https:///path',
    'https:example.org',
    'http://:80/',
    'ftp://example.org/',
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@example.org',
    'https://user@example.org/',
    'https://user:secret@example.org/',
    'https://example.org@evil.example/',
    'https://example.org/a b',
    ' https://example.org/',
    'https://example.org/\n',
    'https://example.org\\path',
    'https://exam\tple.org/',
    'https://example.org/\0',
    'https://example.org/é',
    'https://bücher.example/',
    'https://example.org/%',
    'https://example.org/%zz',
    'https://ex%61mple.org/',
    'https://example.org:99999/',
    'https://example.org:/x:y:80"',
    'https://example.org/<b>',
    'https://example.org/"',
    'https://example.org/`',
    'https://example.org/{a}',
    'https://example.org/a|b',
    'https://example.org/^',
    'https://example.org/[a]',
    'https://[::1',
    'https://[zz]/',
    'https://1.2.3.4.5/',
    'https://999.1.1.1/',
    'https://0x7f.1/',
    'https://80/',
    'https://017.0.0.1/',
    'https://example.org#a#b',
    'https://example.org/#a?b#c',
    `https://example.org/${'a'.repeat(2029)}`,
  ];
  for (const text of wrong) assert.equal(isHttpUri(text), false, text);
});

test('property: what is taken is what the URL standard reads, and hides no credentials', () => {
  const pieces = fc.array(
    fc.constantFrom(
      'a',
      'example.org',
      '/',
      '?',
      '#',
      '@',
      ':',
      '80',
      '%41',
      '%',
      '[',
      ']',
      '::1',
      '.',
      '-',
      '\\',
      ' ',
      'é',
      '&=',
    ),
    { maxLength: 10 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        pieces.map((parts) => parts.join('')),
        fc.webUrl({ withFragments: true, withQueryParameters: true }).map((url) => url.slice(8)),
      ),
      (rest) => {
        const text = `https://${rest}`;
        if (!isHttpUri(text)) return;
        const url = new URL(text);
        assert.equal(url.protocol, 'https:');
        assert.notEqual(url.hostname, '');
        assert.equal(url.username + url.password, '');
        assert.ok(
          text.slice(8).toLowerCase().startsWith(url.hostname) || url.hostname.startsWith('['),
        );
        assert.match(text, /^[!-~]+$/);
      },
    ),
    { numRuns: effort(3000, 60_000) },
  );
});

test('hostile texts of 2,048 characters are quick', () => {
  for (const unit of ['%41', '?', '#', '?#', '/', 'a.', ':', '@', '%']) {
    const start = performance.now();
    isHttpUri(`https://example.org/${unit.repeat(2000 / unit.length)}`);
    // Each takes less than a millisecond; with an exponential step it would never end.
    assert.ok(performance.now() - start < 20_000, unit);
  }
});

test('links: one spelling for what is one address', () => {
  const same: readonly (readonly [canonical: string, ...spellings: string[]])[] = [
    [
      'https://example.org/',
      'https://example.org',
      'HTTPS://EXAMPLE.org:443/',
      'https://example.org/./a/..',
    ],
    ['https://example.org/~a?b#c', 'https://example.org/%7Ea?b#c', 'https://example.org/%7ea?b#c'],
    ['https://example.org/%E6', 'https://example.org/%e6'],
    [
      'doi:10.1000/abc',
      'doi:10.1000/ABC',
      'DOI:10.1000/abc',
      'https://doi.org/10.1000/Abc',
      'http://dx.doi.org/10.1000/abc',
    ],
    ['https://doi.org/10.1000.10/Abc', 'doi:10.1000.10/Abc', 'DOI:10.1000.10/Abc'],
    ['https://doi.org/10.1000/abc#s-2', 'doi:10.1000/abc#s-2'],
    ['https://doi.org/10.1000/abc?page=2', 'doi:10.1000/abc?page=2'],
    ['urn:isbn:0451450523', 'URN:ISBN:0451450523'],
    ['urn:ietf:rfc:Case', 'urn:IETF:rfc:Case'],
    ['ipfs://QmCase/a', 'IPFS://QmCase/a'],
    ['at://ann.example.org/a/b', 'at://Ann.Example.ORG/a/b'],
    ['at://did:plc:aBc', 'at://did:plc:aBc/'],
    ['nostr:npub1qqqs', 'NOSTR:NPUB1QQQS'],
    ['gemini://example.org/', 'gemini://EXAMPLE.org', 'gemini://example.org:1965/'],
    ['gemini://[::1]:7/', 'gemini://[::1]:7'],
  ];
  for (const [canonical, ...spellings] of same) {
    for (const text of [canonical, ...spellings])
      assert.equal(canonicalLink(text), canonical, text);
  }
});

test('links: what is not an address of a listed scheme is refused', () => {
  const wrong = [
    '',
    'example.org',
    'https:/example.org',
    'https://user:secret@example.org/',
    'ftp://example.org/',
    'javascript:alert(1)',
    'data:text/html,x',
    'constructor:x',
    'doi:10.1/x',
    'doi:example',
    'doi:10.1000./x',
    'doi:10.1000.10',
    'doi:10.1000/a b',
    'urn:x',
    'urn:-a:b',
    'ipfs:QmCase',
    'at://nodots',
    'nostr:',
    'nostr:nsec',
    'gemini:example.org',
    'gemini://user@example.org/',
    'gemini://example.org/é',
    'urn:isbn:é',
    'urn:isbn:%zz',
    `https://example.org/${'a'.repeat(2029)}`,
  ];
  for (const text of wrong) assert.equal(canonicalLink(text), undefined, text);
});

test('links: the canonical form is its own canonical form', () => {
  const link = fc
    .tuple(
      fc.constantFrom('https://a.example/', 'doi:10.1000/', 'urn:x1:', 'gemini://h/', 'ipfs://Qm/'),
      fc.stringMatching(/^[\w.~%!$&'()*+,;=:@/?-]{0,30}$/),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(link, (text) => {
      const canonical = canonicalLink(text);
      if (canonical === undefined) return;
      assert.equal(canonicalLink(canonical), canonical);
    }),
  );
});
