// Where signing in leads: to pages of this site only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { home, nextPath, signInFirst } from './next-path.ts';

const sites = {
  'at the root': { baseUrl: 'https://site.example', at: (path: string) => path },
  'below a path': { baseUrl: 'https://site.example/base', at: (path: string) => `/base${path}` },
} as const;

function nextOf(site: keyof typeof sites, next: string): string | undefined {
  const query = new URLSearchParams({ next });
  return nextPath(sites[site], { params: {}, query, request: undefined as never });
}

const local = [
  '/',
  '/account',
  '/search?q=moss&type=article',
  '/@someone/a-title-01M7Z3KJBG7YHCVKQDVW6J2001#comment',
  '/topics/%E6%9C%A8',
  '/topics/木',
  '/search?q=https:%2F%2Felsewhere.example',
];

const foreign = [
  'https://elsewhere.example',
  'http:elsewhere.example',
  'https:/elsewhere.example',
  '//elsewhere.example',
  '///elsewhere.example',
  '////elsewhere.example/%2f..',
  '/\\elsewhere.example',
  '\\\\elsewhere.example',
  '\\/elsewhere.example',
  '/\t/elsewhere.example',
  '/\n/elsewhere.example',
  '/\r\n/elsewhere.example',
  '\t//elsewhere.example',
  ' //elsewhere.example',
  ' /account',
  '/account ',
  '/acc\u0000ount',
  '/\u00a0/elsewhere.example',
  '/\u2028/elsewhere.example',
  '/\u202eelsewhere.example',
  '/\ufeff/elsewhere.example',
  '/..//elsewhere.example',
  '/.//elsewhere.example',
  '/%2e//elsewhere.example',
  '/a/..//elsewhere.example',
  '/@elsewhere.example//',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,hello',
  'vbscript:x',
  'account',
  './account',
  '../account',
  '@elsewhere.example',
  ':80',
  '?next=/account',
  '#account',
  '',
  'https://site.example/account',
  'https://site.example@elsewhere.example/',
  '//site.example/account',
  '〱/elsewhere.example',
  '／／elsewhere.example',
  `/${'a'.repeat(2_048)}`,
];

test('a path of this site is kept as it is', () => {
  for (const site of ['at the root', 'below a path'] as const)
    for (const path of local) assert.equal(nextOf(site, path), path, `${site}: ${path}`);
});

test('everything that leads elsewhere, or may in some browser, is ignored', () => {
  for (const site of ['at the root', 'below a path'] as const)
    for (const path of foreign) assert.equal(nextOf(site, path), undefined, JSON.stringify(path));
  for (const path of ['/..', '/../elsewhere', '/%2e%2e/elsewhere', '/a/../../elsewhere'])
    assert.equal(nextOf('below a path', path), undefined, path);
});

test('whatever is accepted stays on this site', () => {
  const parts = [
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '@',
    ':',
    '\t',
    '\n',
    'a',
    '?',
    '#',
    '：',
    '。',
  ];
  const path = fc.array(fc.constantFrom(...parts, 'elsewhere.example', 'https:'), { maxLength: 8 });
  fc.assert(
    fc.property(path, (chosen) => {
      for (const [name, { baseUrl, at }] of Object.entries(sites)) {
        const next = nextOf(name as keyof typeof sites, chosen.join(''));
        if (next === undefined) continue;
        const { origin, pathname } = new URL(at(next), `${baseUrl}/sign-in`);
        assert.equal(origin, 'https://site.example');
        assert.ok(pathname.startsWith(at('/')) && !pathname.startsWith('//'));
      }
    }),
    { numRuns: 20_000 },
  );
});

test('a page that needs a session is named, unless it is the usual one', () => {
  const sentFrom = (url: string) => signInFirst({ request: { url } as never });
  assert.deepEqual(sentFrom(home), { elsewhere: '/sign-in', temporary: true });
  assert.deepEqual(sentFrom('/write?of=a b'), {
    elsewhere: '/sign-in?next=%2Fwrite%3Fof%3Da+b',
    temporary: true,
  });
});
