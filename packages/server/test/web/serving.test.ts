// Pages as they are served: what they cost, how often they are asked for, on staging, below a path.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { anonymousLimiter, createServer } from '#http';
import type { Invoke } from '#http';
import { addWeb } from '#web';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import { fetchPage, metaOf } from '#test/page';
import { pageServicesOf } from '../../src/page-services.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const anonymous = {
  limitAnonymous: anonymousLimiter(undefined, () => ''),
  callerOf: async () => null,
  readForm: async () => ({ caller: null, fields: new URLSearchParams() }),
};

function pathOf(url: string): string {
  return url.slice(server.baseUrl.length);
}

test('a page asks for as many things as it shows parts, however many there are of each', async () => {
  const author = await server.register();
  const agent = await createAgent(server, author);
  const made = await server.published(agent, { metadata: { topics: ['Deep Sea'] } });
  await untilSettled(server);
  const counts = new Map<string, number>();
  const invoke: Invoke = (name, invocation) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return server.app.invoke(name, invocation);
  };
  const { services } = server;
  const { config, log } = services;
  const own = await createServer({ config, log, routes: [] });
  await addWeb(own, pageServicesOf(services, invoke, anonymous));
  const places = [
    '/',
    `/@${author.username}`,
    '/topics',
    '/topics/deep-sea',
    '/search?q=text',
    '/feed.atom',
    pathOf(made.url),
    `${pathOf(made.url)}/comments.atom`,
  ];
  const cost = async (place: string) => {
    counts.clear();
    assert.equal((await own.inject({ url: place })).statusCode, 200, place);
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  };
  const few = [];
  for (const place of places) few.push(await cost(place));
  for (let n = 0; n < 12; n += 1) {
    const writer = n % 2 === 0 ? agent : await server.register();
    await server.published(writer, {
      title: `Number ${n}`,
      metadata: { topics: ['Deep Sea', `t ${n}`] },
    });
    await comment(server, writer, made.id, { content: `Comment ${n}` });
  }
  await untilSettled(server);
  const many = [];
  for (const place of places) many.push(await cost(place));
  assert.deepEqual(many, few);
  assert.ok(Math.max(...many) <= 7, String(many));
  await own.close();
});

test('429 pages count for the address, and say so to people', async () => {
  await using limited = await startServer({ LIMITS: 'default' });
  const page = await fetchPage(limited, '/', { authorization: 'Bearer nonsense' });
  assert.equal(page.status, 200, 'a page looks at no token');
  assert.match(page.headers.get('ratelimit') ?? '', /r=\d+/);
});

test('staging: a banner on every page, and nothing is to be indexed', async () => {
  await using staging = await startServer({ DEPLOYMENT: 'staging' });
  const writer = await staging.register();
  const made = await staging.published(writer);
  const places = ['/', made.url, `/@${writer.username}`, '/topics', '/nowhere', '/errors/gone'];
  for (const place of places) {
    const page = await fetchPage(staging, place);
    assert.match(page.text, /This is a staging deployment/, place);
    assert.equal(metaOf(page, 'robots'), 'noindex', place);
    assert.equal(page.headers.get('x-robots-tag'), 'noindex', place);
  }
});

test('below a path of its own the service leads to its own places', async () => {
  const baseUrl = `${server.baseUrl}/colophon`;
  const config = { ...server.services.config, baseUrl };
  const services = { ...server.services, config };
  const own = await createServer({ config, log: services.log, routes: [] });
  await addWeb(own, pageServicesOf(services, server.app.invoke, anonymous));
  const { body } = await own.inject({ url: '/' });
  assert.match(body, /href="\/colophon\/topics"/);
  assert.match(body, /href="\/colophon\/assets\/style-/);
  await own.close();
});
