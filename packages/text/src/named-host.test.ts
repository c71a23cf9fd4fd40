// Tests of which links must show their target: text, address, and the host that is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { superlinear } from '../../server/test/pumps/linear.ts';
import { hostToShow } from './named-host.ts';

const honest: readonly (readonly [text: string, address: string])[] = [
  ['the documentation', 'https://evil.example/'],
  ['example.org', 'https://example.org/path'],
  ['www.example.org', 'https://example.org/'],
  ['example.org', 'https://www.example.org/'],
  ['example.org', 'https://docs.example.org/'],
  ['https://example.org/index.html', 'https://example.org/index.html'],
  ['Example.ORG', 'https://example.org/'],
  ['node.js and package.json', 'https://nodejs.example/'],
  ['version 1.2.3', 'https://example.org/'],
  ['e.g. this', 'https://example.org/'],
  ['me@example.org', 'mailto:me@example.org'],
  ['می\u200cخواهم', 'https://example.org/'],
  ['me@example.org', 'mailto:%6de@example.org'],
  ['me%ff@example.org', 'mailto:me%ff@example.org'],
  ['m', 'mailto:%zz'],
];

const deceiving: readonly (readonly [text: string, address: string, shown: string])[] = [
  ['example.org', 'https://evil.example/', 'evil.example'],
  ['https://example.org/login', 'https://evil.example/', 'evil.example'],
  ['https://example.org@evil.example/', 'https://example.org@evil.example/', 'evil.example'],
  ['example.org', 'https://example.org.evil.example/', 'example.org.evil.example'],
  ['example.org', 'https://notexample.org/', 'notexample.org'],
  ['docs.example.org', 'https://example.org/', 'example.org'],
  ['ехаmple.org', 'https://xn--mple-u4d6c.org/', 'xn--mple-u4d6c.org'],
  ['ｅxample．org', 'https://evil.example/', 'evil.example'],
  ['example。org', 'https://evil.example/', 'evil.example'],
  ['exam\u200bple.org', 'https://evil.example/', 'evil.example'],
  ['\u202egro.elpmaxe', 'https://evil.example/', 'evil.example'],
  ['safe\u2066', 'https://evil.example/', 'evil.example'],
  ['help@example.org', 'mailto:help@evil.example', 'evil.example'],
  ['help@example.org', 'mailto:%ff@evil.example', 'evil.example'],
  ['help@example.org', 'mailto:%zz', '%zz'],
  ['example.org', 'gemini://evil.example/', 'evil.example'],
  ['example.org', 'urn:isbn:1', 'urn:'],
];

test('a link whose text is honest shows nothing more', () => {
  for (const [text, address] of honest)
    assert.equal(hostToShow(text, address), undefined, `${text} → ${address}`);
});

test('a link whose text reads like another place, or hides something, shows its host', () => {
  for (const [text, address, shown] of deceiving)
    assert.equal(hostToShow(text, address), shown, `${text} → ${address}`);
});

test('a text of a million characters is looked at in no time', () => {
  const began = performance.now();
  for (const text of ['a', 'a.', '-', '.', 'a-', '\u200b'])
    hostToShow(text.repeat(1_000_000 / text.length), 'https://example.org/');
  assert.ok(performance.now() - began < 60_000);
});

test('hyphens inside a name take time in proportion to the text', () => {
  const work = (text: string) => hostToShow(text, 'https://a.example');
  assert.equal(superlinear(work, [{ prefix: 'a.', unit: '-', tail: 'a' }]), undefined);
});
