// Tests of robots.txt: what it says to crawlers and agents, and that it is true.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from '#test/harness';
import { robotsText } from './robots.ts';

const server = await startServer({ REGISTRATION: 'open' });
const staging = await startServer({ DEPLOYMENT: 'staging' });
after(async () => {
  await server[Symbol.asyncDispose]();
  await staging[Symbol.asyncDispose]();
});

test('200 /robots.txt lets everybody read and names the sitemap', async () => {
  const { status, headers, body } = await server.ask('GET', '/robots.txt');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  const lines = String(body).split('\n');
  assert.ok(lines.includes('User-agent: *') && lines.includes('Allow: /'));
  assert.ok(lines.includes(`Sitemap: ${server.baseUrl}/sitemap.xml`));
  assert.ok(!lines.includes('Disallow: /'));
});

test('/robots.txt knows where the service lies below its host', () => {
  const text = robotsText({ baseUrl: 'https://x.example/reading', deployment: 'production' });
  assert.match(text, /^Disallow: \/reading\/v1\/search$/m);
  assert.match(text, /^Sitemap: https:\/\/x\.example\/reading\/sitemap\.xml$/m);
});

/** Whether a crawler may fetch a path: the longest rule that matches decides (RFC 9309, section 2.2.2). */
function mayFetch(text: string, path: string): boolean {
  const rules = [...text.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, verb, rule = '']) => {
    const form = RegExp.escape(rule)
      .replaceAll(String.raw`\*`, '.*')
      .replace(/\\\$$/, '$');
    return { allows: verb === 'Allow', length: rule.length, matches: new RegExp(`^${form}`) };
  });
  const [longest] = rules
    .filter(({ matches }) => matches.test(path))
    .toSorted((a, b) => b.length - a.length);
  return longest?.allows ?? true;
}

test('/robots.txt closes what it means to, and nothing that only begins alike', () => {
  for (const above of ['', '/reading']) {
    const baseUrl = `https://x.example${above}`;
    const text = robotsText({ baseUrl, deployment: 'production' });
    const closed = ['/report?type=article', '/search', '/v1/search?q=a', '/v1/events', '/v1/me'];
    for (const path of [...closed, '/search?q=a'])
      assert.equal(mayFetch(text, above + path), false, path);
    const open = ['/', '/v1/meta', '/v1/media/01K0', '/v1/media/01K0/content', '/v1/articles'];
    for (const path of open) assert.equal(mayFetch(text, above + path), true, path);
  }
});

test('staging: an empty allowance, no sitemap, and noindex on everything', async () => {
  const { body } = await staging.ask('GET', '/robots.txt');
  assert.equal(body, 'User-agent: *\nDisallow: /\n');
  assert.equal((await staging.ask('GET', '/sitemap.xml')).status, 404);
  assert.equal((await staging.ask('GET', '/sitemaps/1.xml')).status, 404);
  const paths = [
    '/',
    '/robots.txt',
    '/llms.txt',
    '/v1/meta',
    '/nothing',
    '/healthz',
    '/errors/gone',
    '/%ff',
  ];
  for (const path of paths) {
    const { headers } = await staging.ask('GET', path);
    assert.equal(headers.get('x-robots-tag'), 'noindex', path);
  }
});

test('records of the API are not for search engines; pages and texts are', async () => {
  const robots = async (path: string) =>
    (await server.ask('GET', path)).headers.get('x-robots-tag');
  assert.equal(await robots('/v1/articles'), 'noindex');
  for (const path of ['/robots.txt', '/llms.txt', '/sitemap.xml'])
    assert.equal(await robots(path), null, path);
});

test('200 /llms.txt: every address that it links answers', async () => {
  const { status, body } = await server.ask('GET', '/llms.txt');
  assert.equal(status, 200);
  const text = String(body);
  assert.match(text, /^# Colophon\n\n> /);
  const links = [...text.matchAll(/\]\((?<url>[^)]+)\)/g)].map(
    ({ groups }) => groups?.['url'] ?? '',
  );
  assert.ok(links.length >= 8);
  for (const link of links) {
    assert.ok(link.startsWith(`${server.baseUrl}/`), link);
    const path = link.slice(server.baseUrl.length);
    assert.equal((await server.ask('GET', path)).status, 200, link);
  }
});

test('200 /llms.txt: what it says of reading and searching is so', async () => {
  const human = await server.register();
  const { id, url } = await server.published(human, { content: 'A text about *hedgehogs*.' });
  const text = String((await server.ask('GET', '/llms.txt')).body);
  const pattern = `${server.baseUrl}/@{username}/{slug}-{id}.md`;
  assert.ok(text.includes(pattern));
  const markdown = await server.ask('GET', `${String(url).slice(server.baseUrl.length)}.md`);
  assert.equal(markdown.status, 200);
  assert.ok(String(markdown.body).endsWith('A text about *hedgehogs*.'));
  assert.ok(text.includes(`GET ${server.baseUrl}/v1/articles/{id}`));
  assert.equal((await server.ask('GET', `/v1/articles/${id}`)).body.trust, 'untrusted');
  assert.ok(text.includes(`GET ${server.baseUrl}/v1/articles/{id}?view=spotlight`));
  const lit = await server.ask('GET', `/v1/articles/${id}?view=spotlight`);
  assert.ok(String(lit.body.content).includes(lit.body.spotlight.marker));
  assert.ok(text.includes(`GET ${server.baseUrl}/v1/search?q={words}`));
  assert.equal((await server.ask('GET', '/v1/search?q=hedgehogs&type=article')).status, 200);
  assert.equal(
    (
      await server.ask(
        'GET',
        '/v1/articles?kind=human&topic=deep-sea&since=2026-01-31T09:30:00.000Z',
      )
    ).status,
    200,
  );
});

test('/llms.txt says when registration is closed, and that a staging deployment is one', async () => {
  await using closed = await startServer({ REGISTRATION: 'closed' });
  assert.match(String((await closed.ask('GET', '/llms.txt')).body), /Registration is closed/);
  assert.match(String((await staging.ask('GET', '/llms.txt')).body), /staging deployment/);
});
