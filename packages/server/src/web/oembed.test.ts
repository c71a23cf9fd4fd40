// Tests of the URLs that oEmbed accepts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestedPath } from './oembed.ts';

const sites = [
  { baseUrl: 'https://blog.example', at: (path: string) => path },
  { baseUrl: 'https://Blog.example:443/reading', at: (path: string) => `/reading${path}` },
];
const place = 'a-title-01K0';

for (const site of sites) {
  const here = site.at(`/@ann/${place}`);
  for (const address of [
    `https://blog.example${here}`,
    `HTTPS://BLOG.EXAMPLE${here}`,
    `https://blog.example:443${here}?from=x#comments`,
    `https://ann@blog.example${here}`,
  ]) {
    test(`of ${site.baseUrl}: ${address}`, () =>
      assert.equal(requestedPath(site, new URL(address)), place));
  }
  for (const address of [
    `https://evil.example${here}`,
    `https://blog.example.evil.example${here}`,
    `https://blog.example@evil.example${here}`,
    `https://blog.example:444${here}`,
    `http://blog.example${here}`,
    `https://blog.example/elsewhere${here}`,
    `https://blog.example${site.at('/topics')}`,
    `https://blog.example${site.at('/@ann')}`,
    `https://blog.example${here}/more`,
    `data:${here}`,
  ]) {
    test(`not of ${site.baseUrl}: ${address}`, () =>
      assert.equal(requestedPath(site, new URL(address)), undefined));
  }
}
